import type { FoundComment } from '../ports.ts'
import { isSameText } from './comment-body.ts'
import { jsonField, jsonText } from './json-field.ts'
import type { Graphql } from './octokit.ts'
import { isLogin } from './token-login.ts'

/** Whether the text is surely the login's own. Whatever is not known counts as edited (docs/decisions/0025). */
export async function isEditedByOthers(
  comment: FoundComment,
  asker: { readonly graphql: Graphql; readonly login: string; readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    const node = jsonField(await asker.graphql(EDITOR, { id: comment.nodeId }, asker.signal), 'node')
    // Edited since it was read?
    if (!isSameText(jsonText(node, 'body') ?? '', comment.body)) return true
    if (!isActor(jsonField(node, 'author'), asker.login)) return true
    const isUntouched = jsonField(node, 'lastEditedAt') === null && jsonField(node, 'editor') === null
    return !isUntouched && !isActor(jsonField(node, 'editor'), asker.login)
  } catch {
    return true
  }
}

const EDITOR = `query ($id: ID!) {
  node(id: $id) {
    ... on IssueComment { body lastEditedAt author { __typename login } editor { __typename login } }
  }
}`

function isActor(actor: unknown, login: string): boolean {
  const name = jsonText(actor, 'login')
  return name !== undefined && isLogin({ login: name, isBot: jsonText(actor, '__typename') === 'Bot' }, login)
}

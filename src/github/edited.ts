import type { FoundComment } from '../ports.ts'
import { isSameText } from './comment-body.ts'
import { fieldAt, textAt } from './field.ts'
import { isLogin } from './login.ts'
import type { Graphql } from './octokit.ts'

/** Whether the text is surely the login's own. Whatever is not known counts as edited (docs/decisions/0025). */
export async function isEditedByOthers(
  comment: FoundComment,
  asker: { readonly graphql: Graphql; readonly login: string; readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    const node = fieldAt(await asker.graphql(EDITOR, { id: comment.nodeId }, asker.signal), 'node')
    // Edited since it was read?
    if (!isSameText(textAt(node, 'body') ?? '', comment.body)) return true
    if (!isBy(fieldAt(node, 'author'), asker.login)) return true
    const isUntouched = fieldAt(node, 'lastEditedAt') === null && fieldAt(node, 'editor') === null
    return !isUntouched && !isBy(fieldAt(node, 'editor'), asker.login)
  } catch {
    return true
  }
}

const EDITOR = `query ($id: ID!) {
  node(id: $id) {
    ... on IssueComment { body lastEditedAt author { __typename login } editor { __typename login } }
  }
}`

function isBy(actor: unknown, login: string): boolean {
  const name = textAt(actor, 'login')
  return name !== undefined && isLogin({ login: name, isBot: textAt(actor, '__typename') === 'Bot' }, login)
}

import { messageOf } from '../model/errors.ts'
import { httpStatusOf } from './comment-error.ts'
import { jsonText } from './json-field.ts'
import type { Graphql, Octokit } from './octokit.ts'

/**
 * Login of the token's owner: GraphQL knows it for the workflow's own token too, REST only for users. Throws where GitHub is
 * in trouble: with a guessed login, comments of others would be taken for our own.
 */
export async function viewerLogin(octokit: Octokit, graphql: Graphql, signal: AbortSignal): Promise<string> {
  try {
    const login = jsonText(await graphql('query { viewer { login } }', {}, signal), 'viewer', 'login')
    if (login !== undefined) return login
  } catch (error) {
    if (isInTrouble(error)) throw error
    // Fine-grained tokens and some servers refuse the query: REST is asked next.
  }
  try {
    return (await octokit.rest.users.getAuthenticated({ request: { signal } })).data.login
  } catch (error) {
    if (isInTrouble(error)) throw error
    return WORKFLOW_BOT // The workflow's own token may not read /user.
  }
}

const WORKFLOW_BOT = 'github-actions[bot]'

/** A refusal says something about the token; these errors say nothing about it. */
function isInTrouble(error: unknown): boolean {
  const status = httpStatusOf(error)
  return status === 429 || (status !== undefined && status >= 500) || /rate limit/i.test(messageOf(error))
}

/** REST writes an app's login with `[bot]`, GraphQL without; a person's login never has it. */
export function isLogin(one: { readonly login: string; readonly isBot: boolean }, login: string): boolean {
  return one.isBot ? withoutSuffix(one.login) === withoutSuffix(login) : one.login === login
}

function withoutSuffix(login: string): string {
  return login.endsWith('[bot]') ? login.slice(0, -'[bot]'.length) : login
}

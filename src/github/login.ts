import { textAt } from './field.ts'
import type { Graphql, Octokit } from './octokit.ts'

/** Login of the token's owner: GraphQL knows it for the workflow's own token too, REST only for users. */
export async function viewerLogin(octokit: Octokit, graphql: Graphql, signal: AbortSignal): Promise<string> {
  try {
    const login = textAt(await graphql('query { viewer { login } }', {}, signal), 'viewer', 'login')
    if (login !== undefined) return login
  } catch {
    // Fine-grained tokens and some servers refuse the query: REST is asked next.
  }
  try {
    return (await octokit.rest.users.getAuthenticated({ request: { signal, retries: 0 } })).data.login
  } catch {
    return WORKFLOW_BOT // The workflow's own token may not read /user.
  }
}

const WORKFLOW_BOT = 'github-actions[bot]'

/** REST writes an app's login with `[bot]`, GraphQL without; a person's login never has it. */
export function isLogin(one: { readonly login: string; readonly isBot: boolean }, login: string): boolean {
  return one.isBot ? withoutSuffix(one.login) === withoutSuffix(login) : one.login === login
}

function withoutSuffix(login: string): string {
  return login.endsWith('[bot]') ? login.slice(0, -'[bot]'.length) : login
}

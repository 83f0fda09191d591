import { PULL_57 } from './github-state.ts'

/** The event of the double's pull request, as far as the action reads it. */
export const PULL_REQUEST = {
  name: 'pull_request',
  payload: {
    action: 'synchronize',
    number: PULL_57.number,
    pull_request: {
      number: PULL_57.number,
      html_url: 'https://github.example/acme/shop/pull/57',
      state: PULL_57.state,
      user: { login: PULL_57.author },
      merge_commit_sha: PULL_57.mergeSha,
      head: { ref: PULL_57.headRef, sha: PULL_57.headSha, repo: { full_name: 'acme/shop' } },
      base: { ref: PULL_57.baseRef, sha: PULL_57.baseSha, repo: { full_name: 'acme/shop' } },
    },
  },
}

/** The event of a pull request within the repository, as far as the action reads it. */
export const PULL_REQUEST = {
  name: 'pull_request',
  payload: {
    action: 'synchronize',
    number: 57,
    pull_request: {
      number: 57,
      html_url: 'https://github.example/acme/shop/pull/57',
      head: { sha: 'def5678def5678def5678def5678def5678def56', repo: { full_name: 'acme/shop' } },
      base: { repo: { full_name: 'acme/shop' } },
    },
  },
} as const

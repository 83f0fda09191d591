/**
 * Events of GitHub that anybody with an account can cause on a public repository, and whose runs may have secrets: whoever asks for a
 * change by one of them needs write permission (docs/decisions/0025). Source: docs/sources.md#github-pull_request_target.
 */
export const openEvents: ReadonlySet<string> = new Set([
  'issue_comment',
  'issues',
  'discussion',
  'discussion_comment',
  'pull_request_review',
  'pull_request_review_comment',
  'fork',
  'watch',
  'gollum',
])

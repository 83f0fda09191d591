/** What of the event decides whether its run is trusted (docs/decisions/0025, docs/decisions/0026). */
export interface RunEvent {
  /** `GITHUB_EVENT_NAME` */
  readonly name: string
  /** Runs with the repository's own token and secrets, whoever wrote the code of the pull request. */
  readonly isPrivileged: boolean
  /** Of `workflow_run`: whether the earlier run had the code of another repository. Absent: not known. */
  readonly isFromFork?: boolean
  /** Of events that anybody can cause: login of who did, as of who wrote the comment. */
  readonly commenter?: string
}

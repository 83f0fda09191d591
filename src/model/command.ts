/** Input `command`. The three plans write nothing: of a deploy, of a rollback, of an uninstall. */
export type Command = 'deploy' | 'plan' | 'plan-rollback' | 'plan-uninstall' | 'rollback' | 'uninstall' | 'test'

export interface CommandRow {
  /** What its passes do with each release; a plan shows what the command of this name would do. */
  readonly task: 'deploy' | 'rollback' | 'uninstall' | 'test'
  readonly writes: boolean
  /** Whether it renders what is in the workspace; else it works from the releases' records alone. */
  readonly usesWorkspace: boolean
  /** Whether it changes the release, or shows a change of it. */
  readonly changesRelease: boolean
  /** Tests of the release follow it, or a rollback where it failed, as the inputs say. */
  readonly hasFollowUps?: true
  /** Works on the releases from the last one to the first. */
  readonly isReversed?: true
  /** The input `revision` counts. */
  readonly takesRevision?: true
  /** It can work without a cluster. */
  readonly mayBeOffline?: true
}

const deploy: CommandRow = {
  task: 'deploy',
  writes: true,
  usesWorkspace: true,
  changesRelease: true,
  hasFollowUps: true,
}
const rollback: CommandRow = {
  task: 'rollback',
  writes: true,
  usesWorkspace: false,
  changesRelease: true,
  takesRevision: true,
}
const uninstall: CommandRow = {
  task: 'uninstall',
  writes: true,
  usesWorkspace: false,
  changesRelease: true,
  isReversed: true,
}

/** Everything that follows from a command's name alone. A plan is its command without the writes. */
export const commands: Readonly<Record<Command, CommandRow>> = {
  deploy,
  plan: { ...deploy, writes: false, mayBeOffline: true },
  'plan-rollback': { ...rollback, writes: false },
  'plan-uninstall': { ...uninstall, writes: false },
  rollback,
  uninstall,
  test: { task: 'test', writes: true, usesWorkspace: false, changesRelease: false },
}

const commandNames = Object.keys(commands) as readonly Command[]

/** The command that shows what this one would do; itself where it writes nothing. Test hooks have no plan. */
export function planCommandOf(command: Command): Command | undefined {
  const { task } = commands[command]
  return commandNames.find((name) => commands[name].task === task && !commands[name].writes)
}

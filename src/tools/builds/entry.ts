/** The lowest major version of Node that the action runs on, the one that `action.yml` names. */
export const LOWEST_NODE = 24
/** The bundle, beside `index.js`. */
export const BUNDLE_FILE = 'action.js'

/**
 * `dist/index.js`: loads the bundle where Node is new enough, else says so in one sentence. Written so that old versions
 * can parse it, as a module and as a script: runners and local ones start actions with what they have.
 */
export const entryText = `var major = parseInt(process.versions.node, 10)
if (major >= ${LOWEST_NODE}) {
  import('./${BUNDLE_FILE}')
} else {
  console.log('::error::Staged Helm Deploy needs Node ${LOWEST_NODE}, and was started with Node ' + process.versions.node + ': update the runner to version 2.327.1 or newer, which brings it along (act: a newer version, and remove what forces an older Node)')
  process.exitCode = 1
}
`

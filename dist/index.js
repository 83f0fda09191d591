var major = parseInt(process.versions.node, 10)
if (major >= 24) {
  import('./action.js')
} else {
  console.log('::error::Staged Helm Deploy needs Node 24, and was started with Node ' + process.versions.node + ': update the runner to version 2.327.1 or newer, which brings it along (act: a newer version, and remove what forces an older Node)')
  process.exitCode = 1
}

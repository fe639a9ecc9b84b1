// The commands of a release. An older Node cannot load them, so its version is checked first.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`Node ${process.versions.node} is too old for Waypost: use Node 26.\n`)
  process.exit(1)
}
const { waypost } = await import('./waypost.js')
await waypost(process.argv.slice(2))

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildBundle } from './build-bundle.ts'

// Bundles the tree in which it runs; `npm run release` calls it in a clean export of a commit.

const { out, commit, date } = parseArgs({
  options: { out: { type: 'string' }, commit: { type: 'string' }, date: { type: 'string' } },
}).values
if (out === undefined || commit === undefined || date === undefined)
  throw new Error('Name the folder, the commit and its date: --out, --commit and --date.')
const { version } = JSON.parse(await readFile('package.json', 'utf8'))
await buildBundle(process.cwd(), resolve(out), { version, commit, date: new Date(date) })

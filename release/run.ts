import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startEachCommit } from './check-starts.ts'
import { makeRelease } from './make-release.ts'
import { CHECKSUMS } from './pack-release.ts'
import { prepareRelease } from './prepare-release.ts'

// `npm run release`: see docs/releasing.md.

const USAGE = `npm run release -- make [ref] [--out folder]            the files of a release; signed with the key in RELEASE_KEY_FILE
npm run release -- prepare <version> [--date 2026-11-30] changes changelog and manifests for the commit of a release
npm run release -- starts --since <ref>                  starts the server of each commit since then`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: '.data/release' }, date: { type: 'string' }, since: { type: 'string' } },
})
const [task, subject] = positionals
const print = (text: string) => process.stdout.write(`${text}\n`)

if (task === 'make') await make(subject ?? 'HEAD')
else if (task === 'prepare' && subject !== undefined)
  await prepareRelease('.', subject, values.date ?? new Date().toISOString().slice(0, 10))
else if (task === 'starts' && values.since !== undefined) await checkStarts(values.since)
else {
  print(USAGE)
  process.exitCode = 1
}

async function make(ref: string): Promise<void> {
  const keyFile = process.env['RELEASE_KEY_FILE']
  const { name, files } = await makeRelease(ref, resolve(values.out), keyFile)
  print(`${name} is in ${values.out}:`)
  for (const file of files) print(`  ${file}`)
  if (keyFile === undefined) print(`${CHECKSUMS} is not signed: name an Ed25519 key in RELEASE_KEY_FILE.`)
}

async function checkStarts(since: string): Promise<void> {
  let failures = 0
  for await (const { commit, subject: title, failure } of startEachCommit(since)) {
    print(`${failure === undefined ? 'ok    ' : 'FAILED'} ${commit.slice(0, 12)} ${title}`)
    if (failure === undefined) continue
    failures++
    print(failure)
  }
  print(failures === 0 ? 'Every commit starts.' : `Commits that do not start: ${failures}.`)
  process.exitCode = failures === 0 ? 0 : 1
}

import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOwnFolder } from '../disk/svn-folders.ts'
import { runTool } from '../disk/run-tool.ts'
import { createRepeatableRandom } from '../../../test/suites/fuzz/random.ts'
import { readChangedPaths } from './changed-paths.ts'
import { type ChangedPath, readTransactionChanges } from './transaction-changes.ts'

const work = await mkdtemp(join(tmpdir(), 'waypost-changes-'))
afterAll(() => rm(work, { recursive: true, force: true }))
const folder = join(work, 'repository')
const { href } = pathToFileURL(folder)
const source = join(work, 'source')
const COMMITS = 8

// A pre-commit hook that keeps the changes file and the output of svnlook.
const KEEP = `#!/bin/sh
cp "$1/db/transactions/$2.txn/changes" "$1/kept" && LC_ALL=C.UTF-8 /usr/bin/svnlook changed -t "$2" "$1" > "$1/looked"
`

beforeAll(async () => {
  await makeOwnFolder(work)
  await chmod(work, 0o755)
  await writeFile(source, 'content\n')
  await runTool('svnadmin', ['create', folder])
  await writeFile(join(folder, 'hooks', 'pre-commit'), KEEP, { mode: 0o755 })
})

const sorted = (changes: readonly ChangedPath[] | undefined) =>
  changes?.map(({ op, path, isDirectory }) => `${path}${isDirectory ? '/' : ''} ${op}`).toSorted()

/** Commits, and returns the changed paths from the file and from svnlook. */
async function commit(...steps: readonly string[]) {
  await runTool('svnmucc', ['-m', 'Steps.', '--non-interactive', '--config-dir', join(work, 'client'), ...steps])
  const place = join(folder, 'db', 'transactions', 'test.txn')
  await mkdir(place, { recursive: true })
  await copyFile(join(folder, 'kept'), join(place, 'changes'))
  const kept = await readTransactionChanges(folder, 'test')
  await rm(place, { recursive: true })
  const looked = (await readFile(join(folder, 'looked'), 'utf8')).split('\n').filter(Boolean)
  return { kept: sorted(kept), looked: looked.map(nameOf).toSorted() }
}

const OPS: Readonly<Record<string, string>> = { A: 'added', D: 'deleted' }

function nameOf(line: string): string {
  return `/${line.slice(4)} ${OPS[line[0] ?? ''] ?? 'modified'}`
}

test('the paths of a commit equal those that svnlook reports', async () => {
  const at = (path: string) => `${href}/${path}`
  const commits = [
    ['mkdir', at('trunk'), 'mkdir', at('tags'), 'put', source, at('trunk/a'), 'put', source, at('trunk/b c ☃')],
    ['cp', 'HEAD', at('trunk'), at('tags/1')],
    ['put', join(folder, 'format'), at('trunk/a'), 'rm', at('trunk/b c ☃'), 'propset', 'color', 'red', at('trunk')],
    ['rm', at('trunk/a'), 'put', source, at('trunk/a')],
    ['cp', 'HEAD', at('trunk'), at('tags/2'), 'put', join(folder, 'format'), at('tags/2/a'), 'rm', at('tags/1')],
    ['mv', at('trunk'), at('main')],
    ['rm', at('main'), 'cp', '5', at('trunk'), at('main')],
  ]
  for (const steps of commits) {
    const { kept, looked } = await commit(...steps)
    expect(kept).toEqual(looked)
  }
})

test('the paths of random commits equal those that svnlook reports', async () => {
  const random = createRepeatableRandom('changes')
  const contents = ['one', 'two', 'three'] as const
  for (const text of contents) await writeFile(join(work, text), `${text}\n`)
  const folders = ['f0', 'f1', 'f2']
  await commit(...folders.flatMap((name) => ['mkdir', `${href}/${name}`, 'put', source, `${href}/${name}/x`]))
  for (let made = 0; made < COMMITS; made++) {
    const [one, other] = random.shuffled(folders)
    const file = `${href}/${one}/${random.pick(['x', 'y'])}`
    const steps = random.pick([
      ['put', join(work, random.pick(contents)), file],
      ['propset', 'color', `${made}`, `${href}/${one}`, 'put', join(work, random.pick(contents)), file],
      ['rm', `${href}/${one}`, 'cp', 'HEAD', `${href}/${other}`, `${href}/${one}`],
      ['rm', `${href}/${one}`, 'mkdir', `${href}/${one}`, 'put', join(work, random.pick(contents)), file],
      [
        'rm',
        `${href}/${one}`,
        'cp',
        'HEAD',
        `${href}/${other}`,
        `${href}/${one}`,
        'put',
        join(work, random.pick(contents)),
        file,
      ],
    ])
    const { kept, looked } = await commit(...steps)
    expect([steps, kept]).toEqual([steps, looked])
  }
})

test.each(['no steps\n', '_0.0.t0-0 add-dir false false false /a\n', '_0.0 grow-dir false false false /a\n\n'])(
  'an unknown format is left to svnlook: %j',
  async (text) => {
    const place = join(folder, 'db', 'transactions', 'odd.txn')
    await mkdir(place, { recursive: true })
    await writeFile(join(place, 'changes'), text)
    expect(await readTransactionChanges(folder, 'odd')).toBeUndefined()
    await rm(place, { recursive: true })
  },
)

test.each(['../1', '.', ''])('a name with a path, %j, reads no file', async (name) => {
  expect(await readTransactionChanges(folder, name)).toBeUndefined()
  await expect(readChangedPaths(folder, ['-t', name])).rejects.toThrow('svnlook')
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadRevisions } from '../../../test/fixtures/browsed-repository.ts'
import { dumpOf } from '../disk/svn-dump.ts'
import { makeOwnFolder } from '../disk/svn-folders.ts'
import { runTool } from '../disk/run-tool.ts'
import { readCommit } from './changed-paths.ts'
import { readCommitProperties } from './commit-properties.ts'

const work = await mkdtemp(join(tmpdir(), 'waypost-properties-'))
afterAll(() => rm(work, { recursive: true, force: true }))

const MESSAGES = ['Plain.', 'Two\nlines\n', '', 'K 3\nEND\nV 1\n☃ für alle\n\n', null]

test('a commit has the same properties from its file and from svnlook, also in a packed repository', async () => {
  await makeOwnFolder(work)
  const folder = join(work, 'packed')
  await runTool('svnadmin', ['create', folder])
  // Small shards, so that a few revisions can be packed.
  await writeFile(join(folder, 'db', 'format'), '8\nlayout sharded 4\naddressing logical\n')
  const date = new Date('2026-03-01T09:30:00Z')
  const revisions = Array.from({ length: 9 }, (_, at) => ({
    author: at % 7 === 6 ? null : 'tom',
    message: MESSAGES[at % MESSAGES.length] ?? null,
    date,
    nodes: [{ path: `d${at}`, nodeAction: 'add' as const }],
  }))
  await loadRevisions(folder, dumpOf(revisions))
  const numbers = revisions.map((_, at) => at + 1)
  const read = () => Promise.all(numbers.map((revision) => readCommit(folder, ['-r', String(revision)])))
  const before = await read()
  expect(before.slice(0, 4).map(({ message }) => message)).toEqual(MESSAGES.slice(0, 4))
  expect((await readCommitProperties(folder, ['-r', '3']))?.get('svn:author')).toBe('tom')
  await runTool('svnadmin', ['pack', '-q', folder])
  expect(await readCommitProperties(folder, ['-r', '3'])).toBeUndefined()
  expect(await read()).toEqual(before)
})

test.each(['../1', '1/../2', '.', ''])('a name with a path, %j, reads no file', async (name) => {
  expect(await readCommitProperties(work, ['-r', name])).toBeUndefined()
})

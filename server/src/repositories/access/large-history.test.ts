import { beforeAll, expect, test } from 'vitest'
import { loadRevisions, makeBrowsed } from '../../../test/fixtures/browsed-repository.ts'
import { MARA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { isFull } from '../../../test/harness/sampling.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'
import { type DumpedRevision, dumpOf } from '../disk/svn-dump.ts'

const world = await startSvnWorld()
const CORE = `${world.svnOrigin}/svn/orchard/core`
const COUNT = isFull ? 2000 : 500
const HIDDEN_EVERY = 10

const FILES = { shown: 'trunk/file', hidden: 'secret/file' }

const FIRST = [
  ...['trunk', 'secret'].map((path) => ({ path, nodeAction: 'add' as const })),
  ...Object.values(FILES).map((path) => ({ path, nodeAction: 'add' as const, content: '' })),
]

/** Every tenth revision changes only paths that are hidden from Tom. */
const REVISIONS: readonly DumpedRevision[] = Array.from({ length: COUNT }, (_, at) => {
  const which = (at + 1) % HIDDEN_EVERY === 0 ? 'hidden' : 'shown'
  const change = { path: FILES[which], nodeAction: 'change' as const, content: String(at) }
  return {
    author: 'mara',
    message: `${which} ${at + 1}`,
    date: new Date(Date.UTC(2026, 0, 1) + at * 60_000),
    nodes: at === 0 ? FIRST : [change],
  }
})

beforeAll(async () => {
  const { folder } = await makeBrowsed(world, 'core', '[/secret]\n* =\nmara = rw')
  await loadRevisions(folder, dumpOf(REVISIONS))
})

const log = async (person: TestPerson, ...args: readonly string[]) => {
  const { code, out, error } = await world.svn(person, 'log', ...args)
  expect([code, error]).toEqual([0, ''])
  return [...out.matchAll(/^r(\d+) \|/gm)].map(([, revision]) => Number(revision))
}
const all = Array.from({ length: COUNT }, (_, at) => COUNT - at)

test(`the log of ${COUNT} revisions is complete, newest first`, async () => {
  expect(await log(MARA, '--quiet', CORE)).toEqual(all)
  expect(await log(MARA, '--limit', '3', CORE)).toEqual(all.slice(0, 3))
  expect(await log(MARA, '-r', '1:3', CORE)).toEqual([1, 2, 3])
})

test('the log of a partly hidden repository contains what each viewer may read', async () => {
  expect(await log(TOM, '--quiet', `${CORE}/trunk`)).toEqual(all.filter((revision) => revision % HIDDEN_EVERY !== 0))
  const { out } = await world.svn(TOM, 'log', '--verbose', CORE)
  expect([out.includes('hidden'), out.includes('secret/'), out.includes('shown 2')]).toEqual([false, false, true])
})

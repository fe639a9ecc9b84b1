import { beforeAll, expect, test } from 'vitest'
import { startBrowsedWorld } from '../../test/fixtures/browsed-repository.ts'
import { MARA, OLGA, type TestPerson, TOM } from '../../test/fixtures/people.ts'
import { NURSERY, ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { recordRevisionsJob } from './revisions/record-missed-revisions.ts'

const { api, context, id } = await startBrowsedWorld()
beforeAll(() => recordRevisionsJob.run(context, {}, { id: 0, created_on: context.clock.now(), request_id: null }))

const search = async (query: string, as?: TestPerson, more: Record<string, string> = {}) =>
  (await api.get(`/search?${new URLSearchParams({ query, only: 'commits', ...more }).toString()}`, as && { as })).json
const found = async (query: string, as?: TestPerson, more?: Record<string, string>): Promise<string[]> =>
  (await search(query, as, more)).commits.map(({ xref }: { xref: string }) => xref)

test('a commit is found by beginnings of words of its message', async () => {
  expect((await search('fir fil', TOM)).commits).toEqual([])
  expect((await search('renam', TOM)).commits).toEqual([
    {
      uri: `svn/${id}/revisions/6`,
      html_url: '/projects/orchard/repositories/garden/revisions/6',
      xref: 'svn #garden/6',
      message: 'Renamed.',
      author_name: 'tom',
      date: expect.stringMatching(/^2026-03-06T/),
      repository: { id, uri: `svn/${id}`, name: 'garden' },
      project: { shortname: 'orchard', label: 'Orchard' },
    },
  ])
  expect(await found('enamed', TOM)).toEqual([])
  expect(await found('a', MARA)).toEqual(['svn #garden/5', 'svn #garden/3', 'svn #garden/2'])
})

test('a message is found by those who may read all changed paths', async () => {
  expect(await found('hidden', MARA)).toEqual(['svn #garden/4', 'svn #garden/3'])
  expect(await found('hidden', TOM)).toEqual([])
  expect(await found('hidden')).toEqual([])
})

test('commits are limited to a project', async () => {
  expect(await found('renamed', TOM, { project: String(ORCHARD) })).toHaveLength(1)
  expect(await found('renamed', TOM, { project: String(NURSERY) })).toEqual([])
  expect(await found('renamed', OLGA)).toHaveLength(1)
})

import { describe, expect, test } from 'vitest'
import { REVISIONS, startBrowsedWorld } from '../../../test/fixtures/browsed-repository.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'

const { api, svn } = await startBrowsedWorld()
const list = (query: string, as = TOM) => api.get(`${svn}/revisions?${query}`, { as })
const numbers = async (query: string, as = TOM) =>
  (await list(query, as)).json.map(({ revision }: { revision: number }) => revision)
const one = async (revision: number | string, as = TOM) => (await api.get(`${svn}/revisions/${revision}`, { as })).json

describe('GET /svn/{id}/revisions', () => {
  test('lists all revisions, newest first, including those with hidden paths', async () => {
    const { json, headers } = await list('')
    expect(json.map(({ revision }: { revision: number }) => revision)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
    expect(headers['x-pagination-size']).toBe(String(REVISIONS.length))
    expect(json.map(({ paths_hidden }: { paths_hidden: boolean | null }) => paths_hidden)).toEqual([
      true,
      false,
      false,
      false,
      null,
      true,
      true,
      true,
    ])
    for (const { paths_hidden } of (await list('', MARA)).json) expect(paths_hidden).toBe(false)
  })

  test('continues from page to page', async () => {
    const { headers } = await list('limit=3')
    const [, cursor] = /cursor=([^&>]+)/.exec(String(headers['link'])) ?? []
    expect(await numbers(`limit=3&cursor=${cursor}`)).toEqual([5, 4, 3])
    expect(await numbers('limit=3&offset=6')).toEqual([2, 1])
  })

  test('filters by author, message and date, in visible data only', async () => {
    expect(await numbers('author=tom')).toEqual([8, 7, 6, 2])
    expect(await numbers('author=mara')).toEqual([3, 1])
    expect(await numbers('author=mara', MARA)).toEqual([4, 3, 1])
    expect(await numbers('text=HIDDEN')).toEqual([])
    expect(await numbers('text=HIDDEN', MARA)).toEqual([4, 3])
    expect(await numbers('from=2026-03-05&to=2026-03-07')).toEqual([6, 5])
    expect(await numbers('from=2026-03-04&to=2026-03-05')).toEqual([])
    expect(await numbers('author=tom&text=renamed')).toEqual([6])
    const { headers, json } = await list('author=tom&limit=2&offset=1')
    expect([headers['x-pagination-size'], json.map(({ revision }: { revision: number }) => revision)]).toEqual([
      '4',
      [7, 6],
    ])
  })
})

describe('GET /svn/{id}/revisions/{rev}', () => {
  test('shows a revision in full to viewers who may read all its paths', async () => {
    expect(await one(6)).toEqual({
      revision: 6,
      uri: expect.stringMatching(/^svn\/\d+\/revisions\/6$/),
      resources: [{ type: 'diff', uri: expect.stringMatching(/^svn\/\d+\/diff\?rev=6$/) }],
      author: { id: TOM.id, username: 'tom' },
      author_name: 'tom',
      date: '2026-03-06T09:30:00+00:00',
      message: 'Renamed.',
      references: [],
      paths: [
        { path: '/trunk/a.ts', op: 'deleted', copied_from: null },
        { path: '/trunk/b.ts', op: 'added', copied_from: { path: '/trunk/a.ts', revision: 5 } },
      ],
      paths_hidden: false,
      paths_truncated: false,
    })
  })

  test('shows the readable paths of a partly hidden revision, without its message', async () => {
    expect(await one(3)).toMatchObject({
      author_name: 'mara',
      date: '2026-03-03T09:30:00+00:00',
      message: null,
      references: [],
      paths: [{ path: '/trunk/a.ts', op: 'modified', copied_from: null }],
      paths_hidden: true,
    })
    expect((await one(3, MARA)).message).toBe('Both a hidden word and a shown file.')
  })

  test('shows only the number of a revision that changed hidden paths only', async () => {
    const { revision, uri: _, ...rest } = await one(4)
    expect(revision).toBe(4)
    expect(new Set(Object.values(rest))).toEqual(new Set([null]))
  })

  test('distinguishes an empty message from a hidden one', async () => {
    expect(await one(7)).toMatchObject({ message: null, paths_hidden: false, author_name: 'tom' })
  })

  test('returns no user for an unknown author login', async () => {
    expect(await one(5)).toMatchObject({ author: null, author_name: 'stranger' })
  })

  test('links the artifacts that the message names', async () => {
    expect((await one(2, MARA)).references).toEqual([
      { ref: 'art #7', url: `https://waypost.example/goto?key=art&val=7&group_id=${ORCHARD}` },
    ])
  })

  test('shows revision 0, nothing above the youngest, and refuses non-numbers', async () => {
    expect(await one(0)).toMatchObject({ revision: 0, author: null, message: null, paths: [], paths_hidden: false })
    expect((await one(9)).error.reason).toBe('not_found')
    expect((await one('HEAD')).error.code).toBe(400)
  })
})

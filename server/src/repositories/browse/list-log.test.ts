import { describe, expect, test } from 'vitest'
import { startBrowsedWorld } from '../../../test/fixtures/browsed-repository.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'

const { api, svn } = await startBrowsedWorld()
const log = (query: string, as = TOM) => api.get(`${svn}/log?${query}`, { as })
const numbers = async (query: string, as = TOM) =>
  (await log(query, as)).json.map(({ revision }: { revision: number }) => revision)

describe('GET /svn/{id}/log', () => {
  test('lists the history of a path, newest first, across copies', async () => {
    expect(await numbers('path=/trunk/b.ts')).toEqual([6, 3, 2])
    expect(await numbers('path=/trunk/b.ts&stop_on_copy=true')).toEqual([6])
    expect(await numbers('path=/trunk/a.ts&rev=5')).toEqual([3, 2])
    expect(await numbers('path=/branches/b1')).toEqual([5, 3, 2, 1])
    expect(await numbers('path=/trunk/b.ts&until=3')).toEqual([6, 3])
    expect(await numbers('path=/trunk/b.ts&until=7')).toEqual([])
    expect(await numbers('')).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
    expect(await numbers('rev=0')).toEqual([])
  })

  test('paginates across a rename of the path', async () => {
    const { headers, json } = await log('path=/trunk/b.ts&limit=1')
    expect([headers['x-pagination-size'], json.length]).toEqual(['3', 1])
    const [, cursor] = /cursor=([^&>]+)/.exec(String(headers['link'])) ?? []
    expect(await numbers(`path=/trunk/b.ts&limit=1&cursor=${cursor}`)).toEqual([3])
    expect(await numbers('path=/trunk/b.ts&limit=1&offset=2')).toEqual([2])
    expect(await numbers('path=/trunk/b.ts&offset=3')).toEqual([])
    expect(await numbers('limit=3&offset=2')).toEqual([6, 5, 4])
  })

  test('Z35 ends where the path was copied from an unreadable one', async () => {
    expect(await numbers('path=/trunk/light')).toEqual([8])
    expect(await numbers('path=/trunk/light', MARA)).toEqual([8, 4, 3])
    const [{ paths, paths_hidden, message }] = (await log('path=/trunk/light')).json
    expect([paths, paths_hidden, message]).toEqual([
      [{ path: '/trunk/light', op: 'added', copied_from: null }],
      true,
      null,
    ])
  })

  test('is not found for absent or denied paths', async () => {
    for (const query of [
      'path=/secret',
      'path=/nothing',
      'path=/trunk/a.ts',
      'path=/trunk/b.ts&rev=5',
      'rev=9',
      'until=9',
    ])
      expect([query, (await log(query)).status]).toEqual([query, 404])
    expect((await log('until=x')).status).toBe(400)
  })
})

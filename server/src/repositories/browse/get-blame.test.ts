import { describe, expect, test } from 'vitest'
import { startBrowsedWorld } from '../../../test/fixtures/browsed-repository.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'

const { api, svn } = await startBrowsedWorld()
const blame = (path: string, more = '', as = TOM) =>
  api.get(`${svn}/blame?path=${encodeURIComponent(path)}${more}`, { as })

describe('GET /svn/{id}/blame', () => {
  test('names the author of each line, across renames of the file', async () => {
    const { status, json, headers } = await blame('/trunk/b.ts')
    expect([status, headers['x-pagination-size']]).toEqual([200, '9'])
    expect(json.lines.slice(0, 2)).toEqual([
      { line: 1, revision: 2, author: 'tom', date: '2026-03-02T09:30:00+00:00', text: 'one' },
      { line: 2, revision: 3, author: 'mara', date: '2026-03-03T09:30:00+00:00', text: 'TWO' },
    ])
    expect(json.lines[8]).toMatchObject({ revision: 6, text: 'NINE' })
    expect((await blame('/trunk/empty')).json).toEqual({ lines: [] })
  })

  test('shows an older revision, and paginates', async () => {
    expect((await blame('/trunk/a.ts', '&rev=2')).json.lines[1]).toMatchObject({ revision: 2, text: 'two' })
    const { json, headers } = await blame('/trunk/b.ts', '&limit=2&offset=7')
    expect(json.lines.map(({ line }: { line: number }) => line)).toEqual([8, 9])
    expect(headers['link']).not.toContain('next')
    expect((await blame('/trunk/b.ts', '&limit=2')).headers['link']).toContain('next')
  })

  test('Z35 reveals nothing of a file from before it became readable', async () => {
    const { text, json } = await blame('/trunk/light')
    expect(json.lines[0]).toMatchObject({ line: 1, text: 'hidden plan 2' })
    expect([null, 8]).toContain(json.lines[0].revision)
    expect(text).not.toContain('mara')
    expect((await blame('/trunk/light', '', MARA)).json.lines[0]).toMatchObject({ revision: 4, author: 'mara' })
  })

  test('refuses binary files', async () => {
    for (const path of ['/trunk/pic.png', '/trunk/raw']) {
      const { status, json } = await blame(path)
      expect([status, json.error.reason, json.error.details.cause]).toEqual([400, 'rule_violated', 'binary'])
    }
  })

  test('is not found for absent or denied paths and directories', async () => {
    for (const path of ['/trunk', '/secret/plan', '/nothing', '/trunk/site.key'])
      expect((await blame(path)).status).toBe(404)
  })
})

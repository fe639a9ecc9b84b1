import { describe, expect, test } from 'vitest'
import { makeBrowsed } from '../../test/fixtures/browsed-repository.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, TOM } from '../../test/fixtures/people.ts'

const world = await startWorld({ seedOnce: true })
const { api } = world

describe('GET /svn/{id}/access_files', async () => {
  const { id } = await makeBrowsed(world, 'fenced', '[/first]\n* =')
  const { json } = await api.get(`/svn/${id}`, { as: MARA })
  const put = (access_file: string, has_default_permissions: boolean) =>
    api.put(`/svn/${id}`, { as: MARA, body: { settings: { ...json.settings, access_file, has_default_permissions } } })
  await put('[/second]\n* =', false)
  await put('[/second]\n* =', false)

  test('lists every version with its author, and marks the one in force', async () => {
    const { headers, json: versions } = await api.get(`/svn/${id}/access_files`, { as: MARA })

    expect(headers['x-pagination-size']).toBe('2')
    const made_by = { id: MARA.id, username: 'mara' }
    expect(versions).toMatchObject([
      { version: 2, is_current: true, access_file: '[/second]\n* =', has_default_permissions: false, made_by },
      { version: 1, is_current: false, access_file: '[/first]\n* =', has_default_permissions: true, made_by },
    ])
  })

  test('is paginated', async () => {
    const first = await api.get(`/svn/${id}/access_files?limit=1`, { as: ADA })
    const [, next = ''] = /<[^>]*(\?[^>]*)>; rel="next"/.exec(String(first.headers['link'])) ?? []
    const second = await api.get(`/svn/${id}/access_files${next}`, { as: ADA })
    const behind = await api.get(`/svn/${id}/access_files?offset=2`, { as: ADA })

    expect(first.json).toMatchObject([{ version: 2 }])
    expect(second.json).toMatchObject([{ version: 1 }])
    expect([behind.json, behind.headers['x-pagination-size']]).toEqual([[], '2'])
  })

  test('requires a repository administrator', async () => {
    const { status, json: refused } = await api.get(`/svn/${id}/access_files`, { as: TOM })

    expect([status, refused.error.details.who_may]).toEqual([403, ['svn_admin']])
    expect((await api.get(`/svn/${id}/access_files`)).status).toBe(401)
  })
})

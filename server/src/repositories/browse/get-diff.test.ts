import { describe, expect, test } from 'vitest'
import { startBrowsedWorld } from '../../../test/browsed-repository.ts'
import { MARA, TOM } from '../../../test/people.ts'

const { api, svn } = await startBrowsedWorld()
const diff = (query: string, as = TOM) => api.get(`${svn}/diff?${query}`, { as })
const changes = async (query: string, as = TOM) =>
  (await diff(query, as)).json.files.map(({ op, path }: { op: string; path: string }) => `${op} ${path}`)

describe('GET /svn/{id}/diff', () => {
  test('shows what a revision changed', async () => {
    const { status, json, headers } = await diff('rev=3&context=1')
    expect(status).toBe(200)
    expect(json).toEqual({
      from: 2,
      to: 3,
      files: [
        {
          path: '/trunk/a.ts',
          op: 'modified',
          copied_from: null,
          is_binary: false,
          hunks: [
            { old_start: 1, old_lines: 3, new_start: 1, new_lines: 3, lines: [' one', '-two', '+TWO', ' three'] },
          ],
          props: [],
          truncated: false,
        },
      ],
      truncated: false,
    })
    expect(headers['etag']).toMatch(/^"/)
    expect((await diff('')).headers['etag']).toBeUndefined()
  })

  test('Z35 leaves out what may not be read', async () => {
    expect(await changes('rev=3', MARA)).toEqual(['added /secret/plan', 'modified /trunk/a.ts'])
    expect(await changes('from=0&to=4')).toEqual([
      'added /trunk/a.ts',
      'added /trunk/empty',
      'added /trunk/odd @2 %41 ü&#;.txt',
    ])
    expect(await changes('from=3&to=4')).toEqual([])
    for (const query of ['path=/secret&rev=3', 'path=/nothing&rev=3', 'path=/secret/plan&rev=4', 'rev=9', 'from=9'])
      expect([query, (await diff(query)).status]).toEqual([query, 404])
  })

  test('compares any two revisions of a path, also backwards', async () => {
    expect(await changes('path=/trunk/a.ts&from=2&to=5')).toEqual(['modified /trunk/a.ts'])
    expect(await changes('path=/trunk/a.ts&from=5&to=6')).toEqual(['deleted /trunk/a.ts'])
    expect(await changes('path=/trunk&from=6&to=5')).toEqual(['added /trunk/a.ts', 'deleted /trunk/b.ts'])
    expect(await changes('from=5&to=5')).toEqual([])
    const odd = encodeURIComponent('/trunk/odd @2 %41 ü&#;.txt')
    const { json } = await diff(`path=${odd}&from=1&to=2`)
    expect(json.files[0]).toMatchObject({ op: 'added', hunks: [{ lines: ['+odd\r', '+name\r'] }] })
  })

  test('says where something was copied from, unless that is dark', async () => {
    const { json } = await diff('rev=6')
    expect(json.files.map(({ copied_from }: { copied_from: unknown }) => copied_from)).toEqual([
      null,
      { path: '/trunk/a.ts', revision: 5 },
    ])
    const branch = (await diff('rev=5')).json.files
    expect(branch[0]).toMatchObject({ path: '/branches/b1/a.ts', copied_from: { path: '/trunk/a.ts', revision: 4 } })
    expect((await diff('rev=8')).json.files[0]).toMatchObject({ path: '/trunk/light', copied_from: null })
  })

  test('shows no lines of what is no text, and the properties that changed', async () => {
    const { json } = await diff('rev=7')
    const by = Object.fromEntries(json.files.map((file: { path: string }) => [file.path, file]))
    expect(by['/trunk/pic.png']).toMatchObject({
      op: 'added',
      is_binary: true,
      hunks: [],
      props: [{ name: 'svn:mime-type', op: 'added' }],
    })
    expect(by['/trunk/raw']).toMatchObject({ is_binary: true, hunks: [] })
    expect(by['/trunk/lib']).toMatchObject({
      op: 'modified',
      hunks: [],
      props: [{ name: 'svn:ignore', lines: ['+*.o'] }],
    })
    expect(by['/trunk/page.html']).toMatchObject({ op: 'added', is_binary: false })
  })

  test.each(['context=-1', 'context=x', 'from=x', 'to=-1', 'path=x'])('refuses %s', async (query) => {
    expect((await diff(query)).status).toBe(400)
  })
})

import { rename } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { startBrowsedWorld } from '../../../test/fixtures/browsed-repository.ts'
import { ADA, MARA, OLGA, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { HOARD } from '../../../test/fixtures/seed-ids.ts'

const { api, svn, folder, id } = await startBrowsedWorld()
const tree = (query = '', as = TOM) => api.get(`${svn}/tree${query}`, { as })
const names = async (query: string, as = TOM) => (await tree(query, as)).json.map(({ name }: { name: string }) => name)

describe('GET /svn/{id}/tree', () => {
  test('lists a directory: directories first, by name, with the last change of each entry', async () => {
    const { status, json, headers } = await tree('?path=/trunk&rev=7')
    expect(status).toBe(200)
    expect(json.map(({ name }: { name: string }) => name)).toEqual([
      'lib',
      'b.ts',
      'empty',
      'odd @2 %41 ü&#;.txt',
      'page.html',
      'pic.png',
      'raw',
    ])
    expect(headers['x-pagination-size']).toBe('7')
    expect(json[0]).toEqual({
      name: 'lib',
      path: '/trunk/lib',
      uri: expect.stringMatching(/^svn\/\d+\/tree\?path=%2Ftrunk%2Flib&rev=7$/),
      kind: 'dir',
      size: null,
      last_revision: 7,
      last_author: 'tom',
      last_date: '2026-03-07T09:30:00+00:00',
      props: { 'svn:ignore': '*.o\n' },
    })
    expect(json[1]).toMatchObject({
      path: '/trunk/b.ts',
      kind: 'file',
      size: 45,
      last_revision: 6,
      props: { 'svn:eol-style': 'native', note: 'für alle' },
    })
  })

  test('shows the root by default, in every revision', async () => {
    expect(await names('')).toEqual(['branches', 'trunk'])
    expect(await names('?path=&rev=HEAD', MARA)).toEqual(['branches', 'secret', 'trunk'])
    expect(await names('?rev=0')).toEqual([])
    expect(await names('?path=/trunk&rev=2')).toEqual(['lib', 'a.ts', 'empty', 'odd @2 %41 ü&#;.txt'])
  })

  test('paginates without gaps', async () => {
    const { json, headers } = await tree('?path=/trunk&rev=7&limit=2')
    expect(json.map(({ name }: { name: string }) => name)).toEqual(['lib', 'b.ts'])
    const [, cursor] = /cursor=([^&>]+)/.exec(String(headers['link'])) ?? []
    expect(await names(`?path=/trunk&rev=7&limit=2&cursor=${cursor}`)).toEqual(['empty', 'odd @2 %41 ü&#;.txt'])
    expect(await names('?path=/trunk&rev=7&limit=2&offset=6')).toEqual(['raw'])
    expect(await names('?path=/trunk&rev=7&offset=60')).toEqual([])
  })

  test('Z37 gives the same response for absent and denied paths, in every spelling', async () => {
    const absent = await tree('?path=/nothing')
    expect([absent.status, absent.json.error.reason]).toEqual([404, 'not_found'])
    const others = [
      '/secret',
      '/secret/plan',
      '/secret/nothing',
      '/trunk/b.ts',
      '/trunk/site.key',
      '/SECRET',
      '/%252e%252e',
    ]
    for (const path of [...others, '//secret/', '/./secret', '/secret/.', '/trunk&rev=9', '/trunk&rev=99999999999']) {
      const { status, json } = await tree(`?path=${path}`)
      expect([path, status, { ...json.error, request_id: '' }]).toEqual([
        path,
        404,
        { ...absent.json.error, request_id: '' },
      ])
    }
    expect(await names('?path=/secret', MARA)).toEqual(['plan'])
  })

  test.each(['path=trunk', 'path=/../etc', 'path=/a/..', 'path=/a%0ab', 'path=/a%7f', 'rev=x', 'rev=-1', 'rev=1.5'])(
    'refuses %s',
    async (query) => {
      const { status, json } = await tree(`?${query}`)
      expect([status, json.error.reason]).toEqual([400, 'parameter_invalid'])
    },
  )

  test('refuses a path of more than 4,096 bytes', async () => {
    expect((await tree(`?path=/${encodeURIComponent('ü'.repeat(2047))}a`)).status).toBe(404)
    expect((await tree(`?path=/${encodeURIComponent('ü'.repeat(2048))}`)).json.error.reason).toBe('parameter_invalid')
  })

  test('requires access to the project and the access file, and a signed-in viewer', async () => {
    expect((await api.get(`${svn}/tree`)).status).toBe(401)
    expect((await api.get('/svn/1/tree')).status).toBe(401)
    expect((await tree('', OLGA)).status).toBe(200)
    expect(await names('', ADA)).toEqual(['branches', 'trunk'])
    expect((await tree('', VICTOR)).status).toBe(200)
    expect((await api.get(`/svn/${HOARD}/tree`, { as: TOM })).status).toBe(404)
  })

  test('has an ETag if the revision is given by number', async () => {
    const { headers } = await tree('?path=/trunk&rev=7')
    const etag = String(headers['etag'])
    expect(
      (await api.get(`${svn}/tree?path=/trunk&rev=7`, { as: TOM, headers: { 'if-none-match': etag } })).status,
    ).toBe(304)
    expect(
      (await api.get(`${svn}/tree?path=/trunk&rev=7`, { as: MARA, headers: { 'if-none-match': etag } })).status,
    ).toBe(200)
    expect((await tree('?path=/trunk')).headers['etag']).toMatch(/^"[\w-]{22}"$/)
  })

  test('is not found if the repository folder is missing', async () => {
    await rename(folder, `${folder}.away`)
    expect((await api.get(`/svn/${id}/tree`, { as: MARA })).status).toBe(404)
    await rename(`${folder}.away`, folder)
    expect((await api.get(`/svn/${id}/tree`, { as: MARA })).status).toBe(200)
  })
})

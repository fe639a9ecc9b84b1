import { describe, expect, test } from 'vitest'
import { loadRevisions, makeBrowsed, startBrowsedWorld } from '../../../test/fixtures/browsed-repository.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { dumpOf } from '../disk/svn-dump.ts'

const { api, context, svn } = await startBrowsedWorld()
const file = (path: string, more = '', as = TOM) =>
  api.get(`${svn}/file?path=${encodeURIComponent(path)}${more}`, { as })

describe('GET /svn/{id}/file', () => {
  test('shows the text of a file and its metadata', async () => {
    const { status, json, headers } = await file('/trunk/a.ts', '&rev=3')
    expect(status).toBe(200)
    expect(json).toEqual({
      path: '/trunk/a.ts',
      rev: 3,
      size: 45,
      mime_type: 'text/plain',
      is_binary: false,
      eol: 'LF',
      props: { 'svn:eol-style': 'native', note: 'für alle' },
      content: 'one\nTWO\nthree\nfour\nfive\nsix\nseven\neight\nnine\n',
      encoding: 'utf-8',
      truncated: false,
      resources: ['log', 'blame'].map((type) => ({
        type,
        uri: expect.stringMatching(new RegExp(`^svn/\\d+/${type}\\?path=%2Ftrunk%2Fa\\.ts&rev=3$`)),
      })),
    })
    expect(headers['etag']).toMatch(/^"/)
  })

  test('finds files with unusual names', async () => {
    const { json } = await file('/trunk/odd @2 %41 ü&#;.txt')
    expect([json.content, json.eol, json.rev]).toEqual(['odd\r\nname\r\n', 'CRLF', 8])
    expect((await file('/trunk/empty')).json).toMatchObject({ size: 0, content: '', eol: null, is_binary: false })
  })

  test('encodes binary content as base64', async () => {
    const { json } = await file('/trunk/pic.png')
    expect(json).toMatchObject({ mime_type: 'image/png', is_binary: true, encoding: 'base64', eol: null })
    expect(Buffer.from(json.content, 'base64').toString()).toBe('PNG\0\0<script>')
    expect((await file('/trunk/raw')).json).toMatchObject({ mime_type: 'application/octet-stream', is_binary: true })
  })

  test('is not found for directories, absent and denied paths', async () => {
    for (const path of ['/trunk', '/', '/secret/plan', '/trunk/site.key', '/trunk/a.ts', '/branches/b1/site.key'])
      expect([path, (await file(path)).status]).toEqual([path, 404])
    expect((await file('/secret/plan', '', MARA)).json.content).toBe('hidden plan 2\n')
    expect((await file('/secret/plan', '&raw=true')).status).toBe(404)
  })

  test('shows the first MiB of a long text, cut at a character boundary, and nothing above 20 MB', async () => {
    const large = await makeBrowsed({ api, context }, 'large')
    const nodes = [
      { path: 'long', nodeAction: 'add' as const, content: `a${'ü'.repeat(2 ** 19)}` },
      { path: 'huge', nodeAction: 'add' as const, content: 'x'.repeat(20_000_001) },
    ]
    await loadRevisions(large.folder, dumpOf([{ author: 'tom', message: '', date: new Date(), nodes }]))
    const { json } = await api.get(`/svn/${large.id}/file?path=/long`, { as: TOM })
    expect([json.size, json.truncated, json.encoding, json.content.length]).toEqual([
      2 ** 20 + 1,
      true,
      'utf-8',
      2 ** 19,
    ])
    for (const query of ['file?path=/huge', 'file?path=/huge&raw=true', 'blame?path=/huge']) {
      const refused = await api.get(`/svn/${large.id}/${query}`, { as: TOM })
      expect([refused.status, refused.json.error.reason]).toEqual([400, 'parameter_out_of_range'])
    }
    const { json: diff } = await api.get(`/svn/${large.id}/diff`, { as: TOM })
    expect([diff.truncated, diff.files.map(({ path }: { path: string }) => path)]).toEqual([true, ['/huge', '/long']])
    expect(diff.files.some(({ truncated }: { truncated: boolean }) => truncated)).toBe(true)
  })

  test('C04 sends raw content as a download, never rendered', async () => {
    const { status, headers, text } = await file('/trunk/page.html', '&raw=true')
    expect([status, text]).toEqual([200, '<html><script>alert(1)</script></html>'])
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="page.html"; filename*=UTF-8''page.html`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
    })
  })

  test('serves byte ranges, and 304 for a matching ETag', async () => {
    const path = `${svn}/file?path=/trunk/b.ts&raw=true`
    const part = await api.get(path, { as: TOM, headers: { range: 'bytes=4-6' } })
    expect([part.status, part.text, part.headers['content-range']]).toEqual([206, 'TWO', 'bytes 4-6/45'])
    const etag = String(part.headers['etag'])
    expect((await api.get(path, { as: TOM, headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await api.get(path, { as: TOM, headers: { range: 'bytes=99-' } })).status).toBe(416)
  })
})

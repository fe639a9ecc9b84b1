import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MadeTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { attach, callBytes, makeFileTracker, uploadTestFile } from '../../../test/fixtures/uploads.ts'

const { api } = await startWorld({ seedOnce: true })
let parcels: MadeTracker
beforeAll(async () => {
  parcels = await makeFileTracker(api)
})

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'green' }, limitInputPixels: false })
const attached = async (bytes: Buffer, name: string, type: string, field = 'papers') => {
  const as = field === 'papers' ? TOM : MARA
  const id = await uploadTestFile(api, parcels.field(field), bytes, { name, type, as })
  await attach(api, parcels, [id], { as, field })
  return id
}
const preview = (id: number, headers = {}) => callBytes(api, `/files/${id}/preview`, { as: OLGA, headers })

describe('GET /files/{id}/preview', () => {
  test.each([
    ['engine.png', 'image/png', 'image/png', () => blank(600, 300).png()],
    ['engine.gif', 'image/gif', 'image/png', () => blank(600, 300).gif()],
    ['engine.jpg', 'image/jpg', 'image/jpeg', () => blank(600, 300).jpeg()],
  ])('renders %s as a thumbnail', async (name, said, type, draw) => {
    const id = await attached(await draw().toBuffer(), name, said)
    const { status, headers, bytes } = await preview(id)

    expect([status, headers.get('content-type')]).toEqual([200, type])
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 150, height: 75 })
    expect(headers.get('content-length')).toBe(String(bytes.length))
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('cache-control')).toBe('private, no-cache')
    const again = await preview(id, { 'if-none-match': headers.get('etag') })
    expect(again.status).toBe(304)
    expect((await preview(id)).bytes.equals(bytes)).toBe(true)
  })

  test('applies the orientation of a photograph, and drops all other metadata', async () => {
    const exif = { IFD0: { Copyright: 'Tom Tiller' }, IFD3: { GPSLatitude: '48/1' } }
    const photograph = await blank(600, 300).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const id = await attached(photograph, 'photograph.jpg', 'image/jpeg')
    const { bytes } = await preview(id)

    const metadata = await sharp(bytes).metadata()
    expect([metadata.width, metadata.height, metadata.exif, metadata.orientation]).toEqual([
      75,
      150,
      undefined,
      undefined,
    ])
    expect((await callBytes(api, `/files/${id}/photograph.jpg`, { as: OLGA })).bytes.equals(photograph)).toBe(true)
  })

  test('does not enlarge small images', async () => {
    const id = await attached(await blank(20, 10).png().toBuffer(), 'small.png', 'image/png')

    expect(await sharp((await preview(id)).bytes).metadata()).toMatchObject({ width: 20, height: 10 })
  })

  test('is rendered once for many concurrent requests', async () => {
    const id = await attached(await blank(500, 500).png().toBuffer(), 'crowd.png', 'image/png')
    const answers = await Promise.all(Array.from({ length: 20 }, () => preview(id)))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('does not exist for other files or for images that are too large', async () => {
    const bomb = await blank(8000, 7000).png().toBuffer()
    const picture = await blank(600, 300).png().toBuffer()
    const broken = await attached(picture.subarray(0, 400), 'broken.png', 'image/png')
    const none = [
      broken,
      await attached(bomb, 'bomb.png', 'image/png'),
      await attached(Buffer.from('hello'), 'text.png', 'image/png'),
      await attached(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'drawing.png', 'image/png'),
      await attached(picture, 'picture.txt', 'text/plain'),
      await attached(await blank(10, 10).webp().toBuffer(), 'picture.webp', 'image/webp'),
    ]

    for (const id of none) expect((await preview(id)).status).toBe(404)
    const began = Date.now()
    expect((await preview(broken)).status).toBe(404)
    expect(Date.now() - began).toBeLessThan(300) // The failure is cached.
  })

  test('is for viewers who may read the file', async () => {
    const id = await attached(await blank(600, 300).png().toBuffer(), 'secret.png', 'image/png', 'secrets')

    expect((await callBytes(api, `/files/${id}/preview`, { as: MARA })).status).toBe(200)
    expect((await callBytes(api, `/files/${id}/preview`, { as: TOM })).status).toBe(404)
    expect((await callBytes(api, `/files/${id}/preview`)).status).toBe(401)
  })

  test('yields to a file of that name', async () => {
    const picture = await blank(600, 300).png().toBuffer()
    const id = await attached(picture, 'Preview', 'image/png')

    expect((await callBytes(api, `/files/${id}/Preview`, { as: OLGA })).bytes.equals(picture)).toBe(true)
  })
})

import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

// Runs as a subprocess, which may crash: the input is untrusted and may exploit the image library. Reads standard
// input, writes standard output.

const MAX_SIDE_PIXELS = 150
const AVATAR_SIDE_PIXELS = 256
const MAX_INPUT_PIXELS = 50e6
const READERS = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadNsgifBuffer']

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: READERS })

const picture = sharp(await buffer(process.stdin), { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' })
// Applies the EXIF orientation; other metadata is dropped.
const upright = picture.autoOrient()
process.stdout.write(await (process.argv[2] === 'avatar' ? drawAvatar() : drawPreview()))

/** The middle of the picture, as a square. */
function drawAvatar(): Promise<Buffer> {
  return upright.resize({ width: AVATAR_SIDE_PIXELS, height: AVATAR_SIDE_PIXELS, fit: 'cover' }).webp().toBuffer()
}

async function drawPreview(): Promise<Buffer> {
  const side = MAX_SIDE_PIXELS
  const small = upright.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
  const { format } = await picture.metadata()
  return (format === 'jpeg' ? small.jpeg() : small.png()).toBuffer()
}

import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

// Runs as a subprocess, which may crash: the input is untrusted and may exploit the image library. Reads standard
// input, writes standard output.

const MAX_SIDE_PIXELS = 150
const MAX_INPUT_PIXELS = 50e6
const READERS = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadNsgifBuffer']

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: READERS })

const picture = sharp(await buffer(process.stdin), { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' })
// Applies the EXIF orientation; other metadata is dropped.
const small = picture
  .autoOrient()
  .resize({ width: MAX_SIDE_PIXELS, height: MAX_SIDE_PIXELS, fit: 'inside', withoutEnlargement: true })
const { format } = await picture.metadata()
process.stdout.write(await (format === 'jpeg' ? small.jpeg() : small.png()).toBuffer())

import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

// A process of its own, which may fail in any way: what it reads was sent by somebody, and may have been made to break
// what draws it. From standard input to standard output.

const LONGEST_SIDE = 150
const MOST_PIXELS = 50e6
const READERS = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadNsgifBuffer']

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: READERS })

const picture = sharp(await buffer(process.stdin), { limitInputPixels: MOST_PIXELS, failOn: 'error' })
// As it is held; what else is told about where and how it was taken is left out.
const small = picture
  .autoOrient()
  .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
const { format } = await picture.metadata()
process.stdout.write(await (format === 'jpeg' ? small.jpeg() : small.png()).toBuffer())

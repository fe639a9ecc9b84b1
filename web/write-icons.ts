import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

// Draws the icons of the installed pages from `public/icon.svg`: `npm run icons`.

const PUBLIC = join(import.meta.dirname, 'public')
const GROUND = '#0b6b5d'
/** Systems cut maskable icons to a circle of 80 % of the width. */
const MASKABLE_SHARE = 0.7

const drawing = await readFile(join(PUBLIC, 'icon.svg'))

await sharp(await draw(192)).toFile(file('icon-192'))
await sharp(await draw(512)).toFile(file('icon-512'))
await onGround(512, MASKABLE_SHARE, 'maskable-512')
// iOS rounds the corners and shows transparent ones black.
await onGround(180, 0.9, 'apple-touch-icon')

function draw(size: number): Promise<Buffer> {
  return sharp(drawing, { density: 72 * (size / 32) })
    .resize(size, size)
    .png({ palette: true, colours: 32 })
    .toBuffer()
}

async function onGround(size: number, share: number, name: string): Promise<void> {
  const input = await draw(Math.round(size * share))
  await sharp({ create: { width: size, height: size, channels: 3, background: GROUND } })
    .composite([{ input, gravity: 'centre' }])
    .png({ palette: true, colours: 32 })
    .toFile(file(name))
}

function file(name: string): string {
  return join(PUBLIC, 'icons', `${name}.png`)
}

import { createHash } from 'node:crypto'
import type { WebPage } from '../../platform/http/web-page.ts'
import { drawPng } from '../../platform/wire/png.ts'
import { fold } from '../login.ts'

const CELLS = 5
const CELL = 16
const DAY = 86_400

/**
 * Where `avatar_url` leads: a pattern made from the login alone. Nothing is looked up, so that it tells nobody which
 * logins there are.
 */
export const avatarPage: WebPage = {
  path: '/users/:login/avatar.png',
  open: async ({ params }) => ({
    type: 'image/png',
    content: drawAvatar(fold(params['login'] ?? '')),
    headers: { 'cache-control': `private, max-age=${DAY}` },
  }),
}

/** Five by five cells, the right side like the left: what is symmetric is easy to recognise. */
export function drawAvatar(login: string): Buffer {
  const digest = createHash('sha256').update(login).digest()
  const isOn = (column: number, row: number) => {
    const nearest = Math.min(column, CELLS - 1 - column)
    return ((digest[row * CELLS + nearest] ?? 0) & 1) === 1
  }
  const size = CELLS * CELL
  return drawPng({
    size,
    colors: [[240, 240, 240], colorOf(digest)],
    colorAt: (x, y) => (isOn(Math.floor(x / CELL), Math.floor(y / CELL)) ? 1 : 0),
  })
}

/** Dark enough to be seen on the light ground. */
function colorOf(digest: Buffer): [red: number, green: number, blue: number] {
  const [red = 0, green = 0, blue = 0] = digest.subarray(29)
  return [red >> 1, green >> 1, blue >> 1]
}

import { createHash } from 'node:crypto'
import type { WebPage } from '../../platform/http/web-page.ts'
import { drawPng } from '../../platform/wire/png.ts'
import { fold } from '../login.ts'

const CELLS = 5
const CELL = 16
const DAY = 86_400

/**
 * The target of `avatar_url`: a pattern derived from the login only. There is no lookup, so it does not reveal which
 * logins exist.
 */
export const avatarPage: WebPage = {
  path: '/users/:login/avatar.png',
  open: async ({ params }) => ({
    type: 'image/png',
    content: drawAvatar(fold(params['login'] ?? '')),
    // API clients embed avatars in their own pages, and the image depends only on its URL.
    headers: { 'cache-control': `private, max-age=${DAY}`, 'cross-origin-resource-policy': 'cross-origin' },
  }),
}

/** Five by five cells with mirrored sides; symmetry makes it recognizable. */
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

/** Dark enough for contrast on the light background. */
function colorOf(digest: Buffer): [red: number, green: number, blue: number] {
  const [red = 0, green = 0, blue = 0] = digest.subarray(29)
  return [red >> 1, green >> 1, blue >> 1]
}

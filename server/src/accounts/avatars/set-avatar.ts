import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { writeRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { requireSelf, userParam } from '../users/find-user.ts'
import { lockUser } from '../users/update-user.ts'
import { writeAvatarKey } from './write-avatar-key.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Draws an untrusted picture anew as a small square, in a subprocess. Provided in `context.ts`. */
    readonly renderAvatar: RenderAvatar
  }
}

/** `unreadable`: not a PNG, JPEG or GIF, or too large; `failed`: no verdict. */
export type RenderAvatar = (picture: Buffer) => Promise<Buffer | 'unreadable' | 'failed'>

/** In base64: about 1.5 MB of bytes. */
const MAX_CONTENT_LENGTH = 2_000_000
const KEY_BYTES = 16

export const setAvatar = writeRoute({
  method: 'PUT',
  path: '/users/:id/avatar',
  operationId: 'setAvatar',
  summary: 'Set your picture.',
  description:
    'Stores a picture, drawn anew as a WebP of 256 × 256 pixels without metadata; `avatar_url` then has a new address. The account itself only. Anything but a PNG, JPEG or GIF of at most 50 million pixels is refused.',
  access: 'signed_in',
  action: 'user.update',
  params: { id: userParam },
  body: Type.Object(
    {
      content: Type.String({
        minLength: 1,
        maxLength: MAX_CONTENT_LENGTH,
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        description: 'The file in base64.',
      }),
    },
    { title: 'NewAvatar' },
  ),
  async prepare({ context, viewer, params, body: { content } }) {
    await requireSelf(context, viewer, params.id)
    const rendered = await context.renderAvatar(Buffer.from(content, 'base64'))
    if (rendered === 'unreadable') throw new ApiError('parameter_invalid', { path: 'content', rule: 'format' })
    if (rendered === 'failed') throw new ApiError('unavailable')
    return rendered
  },
  async handle({ context, viewer, params }, work, content: Buffer) {
    // The lock orders it before or after an erasure of the account.
    const { id: account_id } = await lockUser(work.tx, context, viewer, params.id)
    await work.tx
      .insertInto('avatar')
      .values({ account_id, content })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ content }))
      .execute()
    await writeAvatarKey(work, account_id, randomBytes(KEY_BYTES).toString('base64url'))
    return {}
  },
})

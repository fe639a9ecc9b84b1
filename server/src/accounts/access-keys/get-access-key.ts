import { sql } from 'kysely'
import { Type } from 'typebox'
import { ApiError } from '../../platform/messages/errors.ts'
import { parseId, toId } from '../../platform/database/ids.ts'
import { type Param, readRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { AccessKeyId } from './access-key.ts'
import { accessKeyColumns, type AccessKeyRow, isOwnLiveKey, representAccessKey } from './access-keys.ts'
import { requireAccount } from '../auth-errors.ts'
import { AccessKeySchema } from '../users/schemas.ts'

const keyParam: Param<AccessKeyId | 'self'> = {
  schema: Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('self')], {
    description: 'The key; `self` is the one that this request is signed in with.',
  }),
  parse: (text, name) => (text === 'self' ? 'self' : parseId<AccessKeyId>(text, name)),
}

export const getAccessKey = readRoute({
  method: 'GET',
  path: '/access_keys/:id',
  operationId: 'getAccessKey',
  summary: 'Show an access key of your own.',
  description: 'Shows one key without its secret. The account that owns it. Keys of other accounts are 404.',
  access: 'signed_in',
  params: { id: keyParam },
  answer: AccessKeySchema,
  async handle({ context, viewer, params }) {
    const account = requireAccount(viewer)
    const id = params.id === 'self' ? keyOf(viewer) : params.id
    const { rows } = await sql<AccessKeyRow>`
      select ${accessKeyColumns} from access_key
      where access_key.id = ${id} and ${isOwnLiveKey(account, context.clock.now())}`.execute(context.db)
    const [key] = rows
    if (!key || (viewer.credential?.projects && id !== keyOf(viewer))) throw new ApiError('not_found')
    return { body: representAccessKey(key) }
  },
})

function keyOf({ credential }: Viewer): AccessKeyId {
  if (credential?.kind !== 'access_key' || credential.id === null) throw new ApiError('not_found')
  return toId(Number(credential.id))
}

import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { apiDate, hasZone, parseInstant } from '../../platform/wire/dates.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { formatAccessKey } from './access-key.ts'
import { readScopes } from './access-key-scopes.ts'
import { requireAccount } from '../refusals.ts'

const DAY = 86_400_000

export const createAccessKey = writeRoute({
  method: 'POST',
  path: '/access_keys',
  operationId: 'createAccessKey',
  summary: 'Make an access key. Its secret is shown once, here.',
  access: 'signed_in',
  action: 'access_key.create',
  body: Type.Object(
    {
      description: Type.Optional(Type.String({ maxLength: 255, default: '', trim: true })),
      expiration_date: Type.Optional(
        Type.Union([Type.String(), Type.Null()], { description: 'With its zone; null or absent: none.' }),
      ),
      scopes: Type.Optional(Type.Array(Type.String(), { maxItems: 50, default: ['write:rest'] })),
    },
    { title: 'NewAccessKey' },
  ),
  bodyOptional: true,
  answer: Type.Object({ identifier: Type.String() }, { title: 'NewAccessKeyIdentifier' }),
  status: 201,
  secret: true,
  givenByWrite: ['identifier'],
  async handle({ context, viewer, body }, work) {
    const account_id = requireAccount(viewer)
    const { description = '', expiration_date = null } = body ?? {}
    const scopes = readScopes(body?.scopes)
    const now = context.clock.now()
    const { key_prefix: prefix, access_key_max_days } = context.settings.current
    const expires_on = endOf(readDate(expiration_date, now), access_key_max_days, now)

    const secret = randomBytes(32)
    const { id } = await work.tx
      .insertInto('access_key')
      .values({ account_id, prefix, digest: sha256(secret), description, scopes, created_on: now, expires_on })
      .returning('id')
      .executeTakeFirstOrThrow()
    await work.change({
      object: 'access_keys',
      made: `access_keys/${id}`,
      op: 'create',
      after: { description, scopes, expiration_date: expires_on && apiDate(expires_on) },
    })
    await work.enqueue({
      type: 'mail',
      payload: { template: 'access_key_created', account_id, params: { description, scopes } },
      object: `access_keys/${id}`,
    })
    work.notify({
      user: { id: account_id, username: viewer.login ?? '' },
      channel: 'mail',
      why: 'access_key_created',
    })
    return { body: { identifier: formatAccessKey({ prefix, id, secret }) }, location: `access_keys/${id}` }
  },
})

/** A key must not end at another moment than its owner thinks, so the date says its zone. */
function readDate(text: string | null, now: Date): Date | null {
  if (text === null) return null
  const date = hasZone(text) ? parseInstant(text, 'UTC') : undefined
  if (!date) throw new ApiError('parameter_invalid', { path: 'expiration_date', rule: 'format' })
  if (date <= now) throw new ApiError('date_in_past', { path: 'expiration_date', rule: 'minimum' })
  return date
}

/** Where the platform limits the life of keys, one without an end gets the longest. */
function endOf(wanted: Date | null, maximumDays: number | null, now: Date): Date | null {
  if (maximumDays === null) return wanted
  const latest = new Date(now.getTime() + maximumDays * DAY)
  if (wanted && wanted > latest)
    throw new ApiError('parameter_out_of_range', {
      path: 'expiration_date',
      rule: 'maximum',
      allowed: { maximum: apiDate(latest) },
    })
  return wanted ?? latest
}

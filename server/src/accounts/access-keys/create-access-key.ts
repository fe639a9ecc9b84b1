import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { INSTANT_FORM, apiDate, hasZone, parseInstant } from '../../platform/wire/dates.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { formatAccessKey } from './access-key.ts'
import { readScopes, requireScopesWithin } from './access-key-scopes.ts'
import { requireAccount } from '../auth-errors.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** The projects among these that the viewer may enter. Implemented by the projects module. */
    readonly enterableProjects: (db: Db | Tx, viewer: Viewer, ids: readonly number[]) => Promise<ReadonlySet<number>>
  }
}

const DAY_MS = 86_400_000
const MAX_PROJECTS_PER_KEY = 100

export const createAccessKey = writeRoute({
  method: 'POST',
  path: '/access_keys',
  operationId: 'createAccessKey',
  summary: 'Make an access key. Its secret is shown once, here.',
  description:
    'Creates a key for a program, with scopes, optionally limited to projects and in time. Every signed-in account, for itself. A key cannot create a key with more scopes, more projects or a later end than its own.',
  access: 'signed_in',
  action: 'access_key.create',
  sensitive: true,
  body: Type.Object(
    {
      description: Type.Optional(Type.String({ maxLength: 255, default: '', trim: true })),
      expiration_date: Type.Optional(
        Type.Union([Type.String(), Type.Null()], { description: 'With its zone; null or absent: none.' }),
      ),
      projects: Type.Optional(
        nullable(
          Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: MAX_PROJECTS_PER_KEY }),
          'Limit the key to these projects: to it, everything else is not there. Null or absent: no limit.',
        ),
      ),
      scopes: Type.Optional(Type.Array(Type.String(), { maxItems: 50, default: ['write:rest'] })),
    },
    { title: 'NewAccessKey' },
  ),
  bodyRules: { isOptional: true },
  answer: Type.Object({ identifier: Type.String() }, { title: 'NewAccessKeyIdentifier' }),
  status: 201,
  secret: true,
  dryRun: { omits: ['identifier'] },
  async handle({ context, viewer, body }, work) {
    const account_id = requireAccount(viewer)
    const { description = '', expiration_date = null } = body ?? {}
    const scopes = readScopes(body?.scopes)
    if (viewer.key) requireScopesWithin(scopes, viewer.key.scopes)
    const projects = await readProjects(context, work.tx, viewer, body?.projects ?? null)
    const now = context.clock.now()
    const { key_prefix: prefix, access_key_max_days } = context.settings.current
    const latest = earlier(latestEnd(access_key_max_days, now), viewer.key?.expires_on ?? null)
    const expires_on = endWithin(readDate(expiration_date, now), latest)

    const secret = randomBytes(32)
    const { id } = await work.tx
      .insertInto('access_key')
      .values({
        account_id,
        prefix,
        digest: sha256(secret),
        description,
        scopes,
        projects,
        created_on: now,
        expires_on,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await work.change({
      object: 'access_keys',
      made: `access_keys/${id}`,
      op: 'create',
      after: { description, scopes, projects, expiration_date: expires_on && apiDate(expires_on) },
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

/**
 * The distinct projects. Absent and hidden ones are unknown; site administrator rights do not count for a limited key.
 */
async function readProjects(
  { enterableProjects }: Context,
  tx: Tx,
  viewer: Viewer,
  given: readonly number[] | null,
): Promise<number[] | null> {
  if (given === null) return null
  const known = await enterableProjects(tx, { ...viewer, is_site_admin: false }, given)
  const unknown = given.findIndex((id) => !known.has(id))
  if (unknown !== -1) throw new ApiError('reference_unknown', { path: `projects[${unknown}]`, rule: 'exists' })
  return [...new Set(given)].toSorted((one, other) => one - other)
}

/** Requires a time zone, so that the expiry is unambiguous. */
function readDate(text: string | null, now: Date): Date | null {
  if (text === null) return null
  const date = hasZone(text) ? parseInstant(text, 'UTC') : undefined
  if (!date)
    throw new ApiError('parameter_invalid', {
      path: 'expiration_date',
      rule: 'format',
      cause: 'date_form',
      params: INSTANT_FORM,
    })
  if (date <= now) throw new ApiError('date_in_past', { path: 'expiration_date', rule: 'minimum' })
  return date
}

/** The latest expiry that the platform allows; null: no limit. */
function latestEnd(maximumDays: number | null, now: Date): Date | null {
  return maximumDays === null ? null : new Date(now.getTime() + maximumDays * DAY_MS)
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

/** Under a limit, of the platform or of the calling key, a key without an expiry gets the latest one. */
function endWithin(wanted: Date | null, latest: Date | null): Date | null {
  if (latest === null) return wanted
  if (wanted && wanted > latest)
    throw new ApiError('parameter_out_of_range', {
      path: 'expiration_date',
      rule: 'maximum',
      allowed: { maximum: apiDate(latest) },
    })
  return wanted ?? latest
}

import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { readJsonQuery } from '../../platform/wire/json-query.ts'
import { readRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { findUser, listUsers } from './find-user.ts'
import { SEARCHED_NAMES, searchedText } from './searched-names.ts'
import { fold } from '../login.ts'
import { permissionError } from '../auth-errors.ts'
import { UserFull } from './schemas.ts'
import { representUser } from './user.ts'
import { isActive, maySee } from './visibility.ts'

/** The trigram index needs at least three letters. */
const MIN_WORD_LENGTH = 3
const MAX_WORDS = 20
const KEYS = ['username', 'loginname', 'email'] as const
const name = Type.Optional(Type.String({ trim: true }))
const NamedQuery = Type.Object({ username: name, loginname: name, email: name })

export const searchUsers = readRoute({
  method: 'GET',
  path: '/users',
  operationId: 'searchUsers',
  summary: 'Search users by login or real name.',
  description:
    'For pickers and mentions: finds active accounts whose login or real name contains the text in any case and with or without accents, or one account by a JSON object. Signed-in accounts only; restricted accounts find only people of their projects. A `query` of fewer than three characters is refused.',
  access: 'signed_in',
  query: {
    query: Type.String({
      minLength: MIN_WORD_LENGTH,
      maxLength: 1000,
      trim: true,
      description: 'Words, separated by commas; or `{"username":"…"}`, or `{"email":"…"}`.',
    }),
  },
  answer: Type.Array(UserFull),
  pages: { default: 10, min: 0, max: 1000 },
  async handle({ context, viewer, query, page }) {
    const condition = query.query.startsWith('{')
      ? await isNamed(context, viewer, readKey(query.query))
      : matchesWords(query.query)
    const { rows, size, next } = await listUsers(context.db, sql`${condition} and ${maySee(context, viewer)}`, page)
    return { body: rows.map((row) => representUser(context, viewer, row)), size, next }
  },
})

/** A part of the login or of the real name. */
function matchesWords(text: string): RawBuilder<boolean> {
  const words = text.split(',').flatMap((word) => fold(word).trim() || [])
  if (words.length === 0 || words.length > MAX_WORDS || words.some((word) => Array.from(word).length < MIN_WORD_LENGTH))
    throw new ApiError('parameter_out_of_range', {
      path: 'query',
      rule: 'min_length',
      allowed: { minimum: MIN_WORD_LENGTH, maximum_words: MAX_WORDS },
    })
  return sql`${isActive} and (${sql.join(words.map(matches), sql` or `)})`
}

function matches(word: string): RawBuilder<boolean> {
  const pattern = sql`'%' || ${searchedText(word)} || '%'`
  // The index covers login and name as one text; exclude matches that span both.
  const spans = word.includes(' ') ? sql`and searchable(folded(account.real_name)) like ${pattern}` : sql``
  return sql`(${SEARCHED_NAMES} like ${pattern} ${spans})`
}

interface NamedUserQuery {
  key: (typeof KEYS)[number]
  value: string
}

async function isNamed(context: Context, viewer: Viewer, { key, value }: NamedUserQuery): Promise<RawBuilder<boolean>> {
  if (key === 'email') return hasAddress(context, viewer, value)
  const isNameable = viewer.is_site_admin ? sql`true` : sql`(${isActive} or account.id = ${viewer.account_id})`
  return sql`account.login = ${fold(value)} and ${isNameable}`
}

/** Only site administrators may learn who uses an address; for others, used and unused look the same. */
async function hasAddress(context: Context, viewer: Viewer, email: string): Promise<RawBuilder<boolean>> {
  if (viewer.is_site_admin) return sql`folded(account.email) = folded(${email})`
  const own = await findUser(context, viewer, 'self')
  if (own.email === null || fold(own.email) !== fold(email)) throw permissionError(viewer, 'site_admin')
  return sql`account.id = ${own.id}`
}

function readKey(text: string): NamedUserQuery {
  const given = readJsonQuery(NamedQuery, text)
  const known = KEYS.flatMap((key) => (given[key] === undefined ? [] : [{ key, value: given[key] }]))
  const [named, other] = known
  if (!named) throw new ApiError('query_unknown_key', { path: 'query', allowed: KEYS })
  if (other) throw new ApiError('parameter_conflict', { path: `query.${other.key}` })
  return named
}

import { type TProperties, Type } from 'typebox'
import { ApiError } from '../words/errors.ts'
import type { Secrets } from '../operation/secrets.ts'

export interface PageLimits {
  default: number
  min: number
  max: number
}

/** The sort values of the last row of a page: the next one begins behind it, whatever was inserted meanwhile. */
export type Place = readonly (string | number | null)[]

export interface Page {
  readonly limit: number
  readonly offset: number
  /** Given instead of an offset that counts rows. */
  readonly after: Place | undefined
}

const DEEPEST = 100_000

export const WHOLE: Page = { limit: 0, offset: 0, after: undefined }

export function pageParameters({ default: initial, min, max }: PageLimits): TProperties {
  return {
    limit: Type.Optional(
      Type.Integer({ minimum: min, maximum: max, default: initial, description: 'Rows of a page.' }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Rows to leave out.' })),
    cursor: Type.Optional(Type.String({ description: 'A place from a `Link` header.' })),
  }
}

export function readPage(
  limits: PageLimits,
  given: { limit?: number; offset?: number; cursor?: string },
  path: string,
  secrets: Secrets,
): Page {
  const limit = given.limit ?? limits.default
  if (given.cursor === undefined) return { limit, offset: shallow(given.offset ?? 0), after: undefined }
  if (given.offset !== undefined)
    throw new ApiError('parameter_conflict', { path: 'cursor', cause: 'cursor_and_offset' })
  return { limit, ...readCursor(given.cursor, path, secrets) }
}

/** Only what this server wrote for this very list is taken back. */
export function writeCursor(offset: number, after: Place, path: string, secrets: Secrets): string {
  const text = Buffer.from(JSON.stringify([offset, ...after])).toString('base64url')
  return `${text}.${secrets.sign(`cursor ${path}`, text)}`
}

/** The statement of a page reads one row more than it shows, and so knows whether another page follows. */
export function cutPage<Row>(rows: readonly Row[], limit: number, placeOf: (row: Row) => Place) {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown,
    next: rows.length > limit && last !== undefined ? placeOf(last) : undefined,
    placeAt: (element: number) => {
      const row = shown[element]
      return row === undefined ? undefined : placeOf(row)
    },
  }
}

function shallow(offset: number): number {
  if (offset <= DEEPEST) return offset
  throw new ApiError('parameter_out_of_range', {
    path: 'offset',
    rule: 'maximum',
    allowed: { minimum: 0, maximum: DEEPEST },
    cause: 'use_cursor',
  })
}

function readCursor(cursor: string, path: string, secrets: Secrets): { offset: number; after: Place } {
  const [text = '', signature = ''] = cursor.split('.')
  if (secrets.verify(`cursor ${path}`, text, signature)) {
    const content: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    const [offset, ...after] = Array.isArray(content) ? content : []
    if (typeof offset === 'number') return { offset, after }
  }
  throw new ApiError('parameter_invalid', { path: 'cursor', rule: 'format' })
}

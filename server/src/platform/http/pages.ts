import { type TProperties, Type } from 'typebox'
import { ApiError } from '../messages/errors.ts'
import type { Secrets } from '../operation/secrets.ts'

export interface PageLimits {
  default: number
  min: number
  max: number
}

/**
 * Keyset pagination: the sort values of the last row. The next page starts after it, whatever was inserted meanwhile.
 */
export type KeysetPosition = readonly (string | number | null)[]

export interface Pagination {
  readonly limit: number
  readonly offset: number
  /** Given instead of an offset. */
  readonly after: KeysetPosition | undefined
}

const MAX_OFFSET = 100_000

export const UNPAGED: Pagination = { limit: 0, offset: 0, after: undefined }

export function pageParameters({ default: initial, min, max }: PageLimits): TProperties {
  return {
    limit: Type.Optional(Type.Integer({ minimum: min, maximum: max, default: initial, description: 'Rows per page.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Rows to skip.' })),
    cursor: Type.Optional(Type.String({ description: 'A cursor from a `Link` header.' })),
  }
}

export function parsePagination(
  limits: PageLimits,
  given: { limit?: number; offset?: number; cursor?: string },
  path: string,
  secrets: Secrets,
): Pagination {
  const limit = given.limit ?? limits.default
  if (given.cursor === undefined) return { limit, offset: requireOffset(given.offset ?? 0), after: undefined }
  if (given.offset !== undefined)
    throw new ApiError('parameter_conflict', { path: 'cursor', cause: 'cursor_and_offset' })
  return { limit, ...readCursor(given.cursor, path, secrets) }
}

/** Signed: only cursors that this server wrote for this list are accepted. */
export function writeCursor(offset: number, after: KeysetPosition, path: string, secrets: Secrets): string {
  const text = Buffer.from(JSON.stringify([offset, ...after])).toString('base64url')
  return `${text}.${secrets.sign(`cursor ${path}`, text)}`
}

/** Queries fetch one row more than the limit, to know whether another page follows. */
export function cutPage<Row>(rows: readonly Row[], limit: number, toPosition: (row: Row) => KeysetPosition) {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown,
    next: rows.length > limit && last !== undefined ? toPosition(last) : undefined,
    placeAt: (element: number) => {
      const row = shown[element]
      return row === undefined ? undefined : toPosition(row)
    },
  }
}

function requireOffset(offset: number): number {
  if (offset <= MAX_OFFSET) return offset
  throw new ApiError('parameter_out_of_range', {
    path: 'offset',
    rule: 'maximum',
    allowed: { minimum: 0, maximum: MAX_OFFSET },
    cause: 'use_cursor',
  })
}

function readCursor(cursor: string, path: string, secrets: Secrets): { offset: number; after: KeysetPosition } {
  const [text = '', signature = ''] = cursor.split('.')
  if (secrets.verify(`cursor ${path}`, text, signature)) {
    const content: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    const [offset, ...after] = Array.isArray(content) ? content : []
    if (typeof offset === 'number') return { offset, after }
  }
  throw new ApiError('parameter_invalid', { path: 'cursor', rule: 'format' })
}

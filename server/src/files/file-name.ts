import { ApiError } from '../platform/messages/errors.ts'

/** Path separators, line breaks, and bidi controls, which can disguise the file extension. */
const FORBIDDEN = /[/\\\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** A name that is safe in headers, addresses and lists. It is never used as a path. */
export function sanitizeFileName(given: string, path = 'name'): string {
  const name = given.toWellFormed().replace(/^\.+/, '')
  if (name.trim() === '' || FORBIDDEN.test(given)) throw new ApiError('name_invalid', { path })
  return name
}

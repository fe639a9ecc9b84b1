import { ApiError } from '../platform/words/errors.ts'

/** What would lead out of a folder, break a line, or turn the letters around so that another ending seems to stand there. */
const FORBIDDEN = /[/\\\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** A name that can stand in a header, in an address and in a list. It never becomes a path of ours. */
export function cleanName(given: string, path = 'name'): string {
  const name = given.toWellFormed().replace(/^\.+/, '')
  if (name.trim() === '' || FORBIDDEN.test(given)) throw new ApiError('name_invalid', { path })
  return name
}

import { Type } from 'typebox'
import { ApiError } from '../../platform/words/errors.ts'
import { readYoungest } from './engine/read-nodes.ts'
import type { SvnSession } from './engine/session.ts'

const LONGEST_PATH = 4096
const NOT_IN_A_PATH = /\p{Cc}|(?:^|\/)\.\.(?:\/|$)/u

export const pathParameter = Type.Optional(
  Type.String({ description: 'Begins with `/`, which is the root and the default.' }),
)

export function revisionParameter(description: string) {
  return Type.Optional(Type.String({ pattern: '^(?:\\d{1,15}|HEAD)$', description }))
}

/** The path in the one spelling that Subversion has for it, without a slash at the end unless it is the root. */
export function readPath(given = '/'): string {
  const isRight =
    given.startsWith('/') &&
    given.isWellFormed() &&
    Buffer.byteLength(given) <= LONGEST_PATH &&
    !NOT_IN_A_PATH.test(given)
  if (!isRight) throw new ApiError('parameter_invalid', { path: 'path', rule: 'format' })
  const segments = given.split('/').filter((segment) => segment !== '' && segment !== '.')
  return `/${segments.join('/')}`
}

/** The revisions that are meant, none of which may be younger than the youngest. */
export async function readRevisions(session: SvnSession, ...given: readonly (string | undefined)[]): Promise<number[]> {
  const youngest = await readYoungest(session)
  return given.map((text = 'HEAD') => {
    const revision = text === 'HEAD' ? youngest : Number(text)
    if (revision > youngest) throw new ApiError('not_found')
    return revision
  })
}

/** What is fixed by a number has an Etag; `HEAD` is another thing tomorrow. */
export function isFixed(given: string | undefined): boolean {
  return given !== undefined && given !== 'HEAD'
}

import { Type } from 'typebox'
import { ApiError } from '../../platform/messages/errors.ts'
import { readYoungest } from './engine/read-nodes.ts'
import type { SvnSession } from './engine/session.ts'

const MAX_PATH_BYTES = 4096
const FORBIDDEN_IN_PATH = /\p{Cc}|(?:^|\/)\.\.(?:\/|$)/u

export const pathParameter = Type.Optional(
  Type.String({ description: 'Begins with `/`, which is the root and the default.' }),
)

export function revisionParameter(description: string) {
  return Type.Optional(Type.String({ pattern: '^(?:\\d{1,15}|HEAD)$', description }))
}

/** Normalizes the path to Subversion's canonical form: no trailing slash except for the root. */
export function parsePath(given = '/'): string {
  const isRight =
    given.startsWith('/') &&
    given.isWellFormed() &&
    Buffer.byteLength(given) <= MAX_PATH_BYTES &&
    !FORBIDDEN_IN_PATH.test(given)
  if (!isRight) throw new ApiError('parameter_invalid', { path: 'path', rule: 'format' })
  const segments = given.split('/').filter((segment) => segment !== '' && segment !== '.')
  return `/${segments.join('/')}`
}

/** Resolves revision parameters; each must not exceed the youngest revision. */
export async function resolveRevisions(
  session: SvnSession,
  ...given: readonly (string | undefined)[]
): Promise<number[]> {
  const youngest = await readYoungest(session)
  return given.map((text = 'HEAD') => {
    const revision = text === 'HEAD' ? youngest : Number(text)
    if (revision > youngest) throw new ApiError('not_found')
    return revision
  })
}

/** Responses for a fixed revision number have an ETag; `HEAD` moves. */
export function isRevisionNumber(given: string | undefined): boolean {
  return given !== undefined && given !== 'HEAD'
}

/** The address of a route about a path in a revision. */
export function nodeUri(repository: number, route: string, path: string, revision: number): string {
  return `svn/${repository}/${route}?path=${encodeURIComponent(path)}&rev=${revision}`
}

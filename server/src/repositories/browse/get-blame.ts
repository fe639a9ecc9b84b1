import { Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { RepositoryId } from '../repository.ts'
import { readBlame } from './engine/read-blame.ts'
import { withSession } from './engine/session.ts'
import { readFileAt } from './get-file.ts'
import { openRepository, revisionVersion } from './open-repository.ts'
import { isRevisionNumber, pathParameter, parsePath, resolveRevisions, revisionParameter } from './parameters.ts'
import { isBinary, MAX_FILE_BYTES } from './text-of-file.ts'

const BlamedLine = Type.Object(
  {
    line: Type.Integer(),
    revision: nullable(Type.Integer({ description: 'Null: it is from where the viewer may not read.' })),
    author: nullable(Type.String()),
    date: nullable(Type.String()),
    text: Type.String(),
  },
  { title: 'SvnBlamedLine' },
)

export const getBlame = readRoute({
  method: 'GET',
  path: '/svn/:id/blame',
  operationId: 'getSvnBlame',
  summary: 'Show who wrote the lines of a file in a repository.',
  description:
    'Shows revision, author and date of each line. Everyone who may see the project and, by the access file, the path; anonymous callers get 401. Binary files are 400.',
  access: 'signed_in',
  params: { id: idParam<RepositoryId>('The repository.') },
  query: { path: pathParameter, rev: revisionParameter('A revision, or `HEAD`, which is the default.') },
  pages: { default: 1000, min: 1, max: 1000 },
  answer: Type.Object({ lines: Type.Array(BlamedLine) }),
  versioned: true,
  async handle({ context, viewer, params, query, page }) {
    const path = parsePath(query.path)
    const repository = await openRepository(context, viewer, params.id)
    const { rev, props, bytes } = await withSession(repository.browsed, 'own', async (session) => {
      const [revision = 0] = await resolveRevisions(session, query.rev)
      return readFileAt(session, path, revision, MAX_FILE_BYTES)
    })
    if (isBinary(props, bytes)) throw new ApiError('rule_violated', { cause: 'binary', path: 'path' })
    const texts = splitLines(bytes)
    const begin = page.after ? Number(page.after[0]) : page.offset
    const blamed = texts.length > 0 ? await readBlame(repository.browsed, path, rev) : []
    const end = begin + page.limit
    const lines = texts.slice(begin, end).map((text, at) => {
      const { revision = null, author = null, date = null } = blamed[begin + at] ?? {}
      return { line: begin + at + 1, revision, author, date: date && apiDate(date), text }
    })
    return {
      body: { lines },
      size: texts.length,
      next: end < texts.length ? [end] : undefined,
      ...(isRevisionNumber(query.rev) && { version: revisionVersion(repository, `blame ${path}`, rev) }),
    }
  },
})

function splitLines(bytes: Buffer): string[] {
  const lines = bytes.toString().split(/\r\n|\n|\r/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

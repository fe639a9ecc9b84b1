import { Type } from 'typebox'
import { cutPage } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { RepositoryId } from '../repository.ts'
import { compareEntries, type DirectoryEntry, readEntries, readNode, readProps } from './engine/read-nodes.ts'
import { withSession } from './engine/session.ts'
import { openRepository, revisionVersion } from './open-repository.ts'
import {
  isRevisionNumber,
  nodeUri,
  pathParameter,
  parsePath,
  resolveRevisions,
  revisionParameter,
} from './parameters.ts'
import { PropsSchema } from './schemas.ts'

const TreeEntry = Type.Object(
  {
    name: Type.String(),
    path: Type.String(),
    uri: Type.String({ description: 'Of the directory or the file in this revision.' }),
    kind: Type.Union([Type.Literal('dir'), Type.Literal('file')]),
    size: nullable(Type.Integer({ description: 'In bytes; null for a directory.' })),
    last_revision: Type.Integer(),
    last_author: nullable(Type.String()),
    last_date: nullable(Type.String()),
    props: PropsSchema,
  },
  { title: 'SvnTreeEntry' },
)

export const listTree = readRoute({
  method: 'GET',
  path: '/svn/:id/tree',
  operationId: 'listSvnTree',
  summary: 'List a directory of a repository: directories first, by name.',
  description:
    'Browses a directory at a revision. Everyone who may see the project and, by the access file, the path; anonymous callers get 401. Absent and denied paths look the same: 404.',
  access: 'signed_in',
  params: { id: idParam<RepositoryId>('The repository.') },
  query: { path: pathParameter, rev: revisionParameter('A revision, or `HEAD`, which is the default.') },
  pages: { default: 50, min: 1, max: 1000 },
  answer: Type.Array(TreeEntry),
  versioned: true,
  async handle({ context, viewer, params, query, page }) {
    const path = parsePath(query.path)
    const repository = await openRepository(context, viewer, params.id)
    return withSession(repository.browsed, 'own', async (session) => {
      const [revision = 0] = await resolveRevisions(session, query.rev)
      if ((await readNode(session, path, revision))?.kind !== 'dir') throw new ApiError('not_found')
      const all = await readEntries(session, path, revision)
      const begin = page.after ? indexAfter(all, page.after) : page.offset
      const { rows, next } = cutPage(all.slice(begin, begin + page.limit + 1), page.limit, ({ kind, name }) => [
        kind,
        name,
      ])
      const shown = rows.map((entry) => ({ ...entry, path: `${path === '/' ? '' : path}/${entry.name}` }))
      const props = await readProps(session, shown, revision)
      return {
        body: shown.map(({ last_date, ...entry }, at) => ({
          ...entry,
          uri: nodeUri(params.id, entry.kind === 'dir' ? 'tree' : 'file', entry.path, revision),
          last_date: last_date && apiDate(last_date),
          props: props[at] ?? {},
        })),
        size: all.length,
        next,
        ...(isRevisionNumber(query.rev) && { version: revisionVersion(repository, `tree ${path}`, revision) }),
      }
    })
  },
})

function indexAfter(entries: readonly DirectoryEntry[], [kind, name]: readonly (string | number | null)[]): number {
  const last = { kind: kind === 'dir' ? ('dir' as const) : ('file' as const), name: String(name) }
  const place = entries.findIndex((entry) => compareEntries(entry, last) > 0)
  return place === -1 ? entries.length : place
}

import { Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { rangeParameters, readTimeRange } from '../../platform/wire/time-range.ts'
import type { RepositoryId } from '../repository.ts'
import { everyRevision, type History, createHistory } from './engine/history.ts'
import { type LogQuery, type LogEntry, readLog, scanLog } from './engine/read-log.ts'
import { readYoungest } from './engine/read-nodes.ts'
import { type Browsed, type SvnSession, withSession } from './engine/session.ts'
import { openRepository } from './open-repository.ts'
import { representRevisions } from './represent-revisions.ts'
import { Revision } from './schemas.ts'
import { getHistoryPage } from './history-page.ts'

export const listRevisions = readRoute({
  method: 'GET',
  path: '/svn/:id/revisions',
  operationId: 'listSvnRevisions',
  summary: 'List the revisions of a repository, newest first.',
  description:
    'Lists revisions, filtered by author, text and time. Everyone who may see the project; anonymous callers get 401. Revisions with denied paths are cut, as Subversion does.',
  access: 'signed_in',
  params: { id: idParam<RepositoryId>('The repository.') },
  query: {
    author: Type.Optional(Type.String({ description: 'The login of the committer.' })),
    text: Type.Optional(Type.String({ description: 'Stands in the message, in any letter case.' })),
    ...rangeParameters,
  },
  pages: { default: 50, min: 1, max: 1000 },
  answer: Type.Array(Revision),
  async handle({ context, viewer, params, query, page }) {
    const range = readTimeRange(context, viewer, query)
    const { browsed, project } = await openRepository(context, viewer, params.id)
    const fits = buildRevisionFilter(query, range)
    const found = await withSession(browsed, 'own', async (session) => {
      const youngest = await readYoungest(session)
      const history = fits ? await searchRevisions(session, browsed, youngest, fits) : everyRevision(youngest, 1)
      const historyPage = getHistoryPage(history, page)
      const seen = historyPage
        ? await readLog(
            session,
            browsed,
            fits ? singleRevisionQueries(history, historyPage) : [rangeQuery(historyPage)],
          )
        : []
      return { seen, size: history.size, next: historyPage?.next }
    })
    const body = await representRevisions(context, viewer, { id: params.id, project }, found.seen)
    return { body, size: found.size, next: found.next }
  },
})

type RevisionFilter = (logged: LogEntry) => boolean

/** Undefined: no filter. Hidden fields never match. */
function buildRevisionFilter(
  { author, text }: { author?: string; text?: string },
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
): RevisionFilter | undefined {
  if (author === undefined && text === undefined && !from && !to) return undefined
  const words = text?.toLowerCase()
  return (logged) =>
    (author === undefined || logged.author?.toLowerCase() === author.toLowerCase()) &&
    (words === undefined || logged.message?.toLowerCase().includes(words) === true) &&
    (!from || (logged.date !== null && logged.date >= from)) &&
    (!to || (logged.date !== null && logged.date < to))
}

async function searchRevisions(
  session: SvnSession,
  browsed: Browsed,
  youngest: number,
  fits: RevisionFilter,
): Promise<History> {
  const logged = await scanLog(session, browsed, youngest)
  return createHistory(logged.filter(fits).map(({ revision }) => revision))
}

function singleRevisionQueries(history: History, { begin, end }: { begin: number; end: number }): LogQuery[] {
  return Array.from({ length: end - begin }, (_, at) => {
    const revision = history.at(begin + at)
    return { path: '/', from: revision, to: revision }
  })
}

function rangeQuery({ first, last }: { first: number; last: number }): LogQuery {
  return { path: '/', from: first, to: last }
}

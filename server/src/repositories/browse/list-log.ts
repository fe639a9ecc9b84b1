import { Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { RepositoryId } from '../repository.ts'
import { readPathHistory } from './engine/history.ts'
import { locate, readLog } from './engine/read-log.ts'
import { readNode } from './engine/read-nodes.ts'
import { withSession } from './engine/session.ts'
import { openRepository, revisionVersion } from './open-repository.ts'
import { isRevisionNumber, pathParameter, parsePath, resolveRevisions, revisionParameter } from './parameters.ts'
import { representRevisions } from './represent-revisions.ts'
import { Revision } from './schemas.ts'
import { getHistoryPage } from './history-page.ts'

export const listLog = readRoute({
  method: 'GET',
  path: '/svn/:id/log',
  operationId: 'listSvnLog',
  summary: 'List the history of a path in a repository, newest first, across copies.',
  description:
    'Shows which revisions changed a path. Everyone who may see the project and, by the access file, the path; anonymous callers get 401. Revisions with denied paths are cut, as Subversion does.',
  access: 'signed_in',
  params: { id: idParam<RepositoryId>('The repository.') },
  query: {
    path: pathParameter,
    rev: revisionParameter('The newest revision, in which there is such a path; `HEAD` is the default.'),
    until: revisionParameter('The oldest revision.'),
    stop_on_copy: Type.Optional(Type.Boolean({ description: 'End where it was copied from elsewhere.' })),
  },
  pages: { default: 50, min: 1, max: 1000 },
  answer: Type.Array(Revision),
  versioned: true,
  async handle({ context, viewer, params, query, page }) {
    const path = parsePath(query.path)
    const repository = await openRepository(context, viewer, params.id)
    const { browsed } = repository
    const stopOnCopy = query.stop_on_copy === true
    const { seen, size, next, revision } = await withSession(browsed, 'own', async (session) => {
      const [from = 0, until = 0] = await resolveRevisions(session, query.rev, query.until ?? '0')
      if (!(await readNode(session, path, from))) throw new ApiError('not_found')
      const to = Math.max(until, 1)
      const history = await readPathHistory(context, session, browsed, { path, from, to, stopOnCopy })
      const historyPage = getHistoryPage(history, page)
      if (!historyPage) return { seen: [], size: history.size, next: undefined, revision: from }
      // The log command expects the path as of its first revision.
      const place =
        historyPage.first === from ? path : await locate(session, path, { revision: from, older: historyPage.first })
      const part = { path: place ?? path, from: historyPage.first, to: historyPage.last, stopOnCopy }
      return {
        seen: await readLog(session, browsed, [part]),
        size: history.size,
        next: historyPage.next,
        revision: from,
      }
    })
    return {
      body: await representRevisions(context, viewer, repository, seen),
      size,
      next,
      ...(isRevisionNumber(query.rev) && { version: revisionVersion(repository, `log ${path}`, revision) }),
    }
  },
})

import { Type } from 'typebox'
import { idParam, type Param, readRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { RepositoryId } from '../repository.ts'
import { readLog } from './engine/read-log.ts'
import { withSession } from './engine/session.ts'
import { openRepository, revisionVersion } from './open-repository.ts'
import { resolveRevisions } from './parameters.ts'
import { representRevisions } from './represent-revisions.ts'
import { Revision } from './schemas.ts'

const revisionParam: Param<string> = {
  schema: Type.Integer({ minimum: 0, description: 'The revision.' }),
  parse(text, name) {
    if (!/^\d{1,15}$/.test(text)) throw new ApiError('parameter_invalid', { path: name, rule: 'type' })
    return text
  },
}

export const getRevision = readRoute({
  method: 'GET',
  path: '/svn/:id/revisions/:rev',
  operationId: 'getSvnRevision',
  summary: 'Show a revision of a repository.',
  description:
    'Shows author, message, references and paths of one revision. Everyone who may see the project; anonymous callers get 401. Numbers above the youngest revision are 404.',
  access: 'signed_in',
  params: { id: idParam<RepositoryId>('The repository.'), rev: revisionParam },
  answer: Revision,
  versioned: true,
  async handle({ context, viewer, params }) {
    const repository = await openRepository(context, viewer, params.id)
    const { browsed } = repository
    const seen = await withSession(browsed, 'own', async (session) => {
      const [revision = 0] = await resolveRevisions(session, params.rev)
      return readLog(session, browsed, [{ path: '/', from: revision, to: revision }])
    })
    const [body] = await representRevisions(context, viewer, repository, seen)
    if (!body) throw new ApiError('not_found')
    const resources = [{ type: 'diff', uri: `svn/${params.id}/diff?rev=${body.revision}` }]
    const shown = body.paths === null ? body : { ...body, resources } // A hidden one has no differences.
    return { body: shown, version: revisionVersion(repository, 'revision', body.revision) }
  },
})

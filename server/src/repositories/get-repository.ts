import { idParam, readRoute } from '../platform/http/route.ts'
import { findRepository } from './find-repository.ts'
import { isSvnAdmin, type RepositoryId, representRepository } from './repository.ts'
import { representSettings } from './represent-settings.ts'
import { Repository } from './schemas.ts'

export const getRepository = readRoute({
  method: 'GET',
  path: '/svn/:id',
  operationId: 'getRepository',
  summary: 'Show a Subversion repository.',
  description:
    'Shows address, settings that the caller may see, and size. Everyone who may see the project. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<RepositoryId>('The repository.') },
  answer: Repository,
  versioned: true,
  async handle({ context, viewer, params, language }) {
    const { repository, project } = await findRepository(context.db, viewer, params.id)
    const body = representRepository(context.config, repository, project, viewer)
    const version = { kind: 'repository', id: repository.id, version: repository.version }
    if (!isSvnAdmin(viewer, project)) return { body, version }
    const settings = await representSettings({ context, db: context.db, viewer, language }, repository)
    return { body: { ...body, settings }, version }
  },
})

import { type TProperties, type TSchema, Type } from 'typebox'
import { idParam, readRoute } from '../platform/http/route.ts'
import { findProject } from './find-project.ts'
import type { ProjectId } from './project.ts'

// Lists of services that do not exist here. Several clients request them and accept an empty list.

const nothing = Type.Array(Type.Unknown(), { maxItems: 0 })

export const listGitRepositories = listNothing({
  type: 'git',
  operationId: 'listGitRepositories',
  most: 1000,
  answer: Type.Object({ repositories: nothing }),
  body: { repositories: [] },
  query: { fields: Type.Optional(Type.Enum(['basic', 'all'], { description: 'Without effect.' })) },
})
export const listMilestones = listNothing({
  type: 'milestones',
  operationId: 'listMilestones',
  most: 50,
  answer: nothing,
  body: [],
})
export const listPlannings = listNothing({
  type: 'plannings',
  operationId: 'listPlannings',
  most: 50,
  answer: nothing,
  body: [],
})
export const listBacklog = listNothing({
  type: 'backlog',
  operationId: 'listBacklog',
  most: 100,
  answer: nothing,
  body: [],
})

function listNothing({
  type,
  operationId,
  most,
  answer,
  body,
  query = {},
}: {
  type: string
  operationId: string
  most: number
  answer: TSchema
  body: unknown
  query?: TProperties
}) {
  return readRoute({
    method: 'GET',
    path: `/projects/:id/${type}`,
    operationId,
    summary: `Always empty: there is no ${type} here.`,
    description:
      'For clients that ask for it and accept an empty list. Everyone who may see the project may call it. Hidden and absent objects are 404, for anonymous callers 401.',
    access: 'everyone',
    params: { id: idParam<ProjectId>('The project.') },
    query,
    pages: { default: 10, min: 0, max: most },
    answer,
    async handle({ context, viewer, params }) {
      await findProject(context.db, viewer, params.id)
      return { body, size: 0 }
    },
  })
}

import { Type } from 'typebox'
import { findVisibleUsers } from '../../accounts/users/find-users-by.ts'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import { representUserMinimal } from '../../accounts/users/user.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { findProject } from '../find-project.ts'
import type { ProjectId } from '../project.ts'

const MAX_HEARTBEATS = 30

export const listHeartbeats = readRoute({
  method: 'GET',
  path: '/projects/:id/heartbeats',
  operationId: 'listHeartbeats',
  summary: 'Show the latest activity of a project.',
  description:
    'Lists the latest changes of artifacts and commits in the project. Everyone who may see the project; entries are those that the caller may read. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project.') },
  pages: 'whole',
  answer: Type.Object({
    entries: Type.Array(
      Type.Object({
        updated_at: Type.String(),
        html_message: Type.String({ description: 'Safe HTML.' }),
        icon: Type.String(),
        small_icon: Type.String(),
        icon_name: Type.String(),
        user: Type.Union([UserMinimal, Type.Null()]),
      }),
      { maxItems: MAX_HEARTBEATS },
    ),
    are_there_activities_user_cannot_see: Type.Boolean(),
  }),
  async handle({ context, viewer, params, language }) {
    const project = await findProject(context.db, viewer, params.id)
    const activityQuery = { context, viewer, project, language, limit: MAX_HEARTBEATS }
    const recent = await Promise.all(context.activitySources.map((source) => source(activityQuery)))
    const latest = recent
      .flatMap(({ activities }) => activities)
      .toSorted((one, other) => other.on.getTime() - one.on.getTime())
      .slice(0, MAX_HEARTBEATS)
    const actors = await findVisibleUsers(
      context,
      context.db,
      viewer,
      latest.flatMap(({ actor_id }) => actor_id ?? []),
    )
    const entries = latest.map(({ on, html_message, icon_name, actor_id }) => {
      const actor = actor_id === null ? undefined : actors.get(actor_id)
      const user = actor ? representUserMinimal(context, actor) : null
      return { updated_at: apiDate(on), html_message, icon: '', small_icon: '', icon_name, user }
    })
    return {
      body: { entries, are_there_activities_user_cannot_see: recent.some(({ hides }) => hides) },
      size: entries.length,
    }
  },
})

import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { findSeenUsers } from '../../accounts/users/find-users-by.ts'
import { representUserMinimal, type UserRow } from '../../accounts/users/user.ts'
import { type Catalogue, text } from '../../platform/words/catalogue.ts'
import type { Context } from '../../platform/operation/context.ts'
import { type Event, latestEvents } from '../../platform/database/events.ts'
import { escapeHtml } from '../../platform/wire/html.ts'
import { isId, toId } from '../../platform/database/ids.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { FoundProject } from '../find-project.ts'
import type { Activity, Asked, RecentActivity } from './activity-source.ts'

const OF_PROJECT = ['project.created', 'project.changed']
const OF_MEMBERS = ['member.added', 'member.removed']

const ChangedPayload = Type.Object({ changed: Type.Tuple([Type.String()]) })
const MemberPayload = Type.Object({ account_id: Type.Integer() })

/** What happens to the project itself. Who comes and goes is shown to those who may list the members. */
export async function projectActivity(asked: Asked): Promise<RecentActivity> {
  const { context, viewer, project, language, limit } = asked
  const events = await latestEvents(context.db, project.id, [...OF_PROJECT, ...OF_MEMBERS], limit)
  const members = events.flatMap((event) => memberOf(event) ?? [])
  const seen = mayListMembers(viewer, project)
    ? await findSeenUsers(context, context.db, viewer, members)
    : new Map<AccountId, UserRow>()
  const activities = events.flatMap((event) => describe(context, language, event, seen) ?? [])
  return { activities, hides: activities.length < events.length }
}

function mayListMembers(viewer: Viewer, project: FoundProject): boolean {
  return project.is_admin || viewer.is_site_admin === true
}

function describe(
  context: Context,
  language: Catalogue,
  event: Event,
  seen: ReadonlyMap<AccountId, UserRow>,
): Activity | undefined {
  const { type, on, actor_id } = event
  const common = { on, actor_id: actor_id === null ? null : toId<AccountId>(actor_id) }
  const name = `activity.${type.replace('.', '_')}`
  if (OF_PROJECT.includes(type))
    return { ...common, icon_name: 'fa-cog', html_message: text(language, nameOfChange(name, event)) }
  const id = memberOf(event)
  const member = id === undefined ? undefined : seen.get(id)
  if (!member) return undefined
  const { user_url, display_name } = representUserMinimal(context, member)
  const user = `<a href="${escapeHtml(user_url ?? '')}">${escapeHtml(display_name)}</a>`
  return { ...common, icon_name: 'fa-users', html_message: text(language, name, { user }) }
}

/** More exactly, where one thing was changed. */
function nameOfChange(name: string, { payload }: Event): string {
  return Check(ChangedPayload, payload) ? `${name}.${payload.changed[0]}` : name
}

function memberOf({ payload }: Event): AccountId | undefined {
  return Check(MemberPayload, payload) && isId<AccountId>(payload.account_id) ? payload.account_id : undefined
}

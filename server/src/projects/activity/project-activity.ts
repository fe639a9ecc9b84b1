import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { findVisibleUsers } from '../../accounts/users/find-users-by.ts'
import { representUserMinimal, type UserRow } from '../../accounts/users/user.ts'
import { type Catalogue, getMessage } from '../../platform/messages/catalogue.ts'
import type { Context } from '../../platform/operation/context.ts'
import { type EventContent, findLatestEvents } from '../../platform/database/events.ts'
import { escapeHtml } from '../../platform/wire/html.ts'
import { isId, toId } from '../../platform/database/ids.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { FoundProject } from '../find-project.ts'
import type { ActivityEntry, ActivityQuery, RecentActivity } from './activity-source.ts'

const PROJECT_EVENT_TYPES = ['project.created', 'project.changed']
const MEMBER_EVENT_TYPES = ['member.added', 'member.removed']

const ChangedPayload = Type.Object({ changed: Type.Tuple([Type.String()]) })
const MemberPayload = Type.Object({ account_id: Type.Integer() })

/** Events of the project itself. Membership changes are shown only to viewers who may list the members. */
export async function projectActivity(activityQuery: ActivityQuery): Promise<RecentActivity> {
  const { context, viewer, project, language, limit } = activityQuery
  const events = await findLatestEvents(context.db, project.id, [...PROJECT_EVENT_TYPES, ...MEMBER_EVENT_TYPES], limit)
  const members = events.flatMap((event) => parseMember(event) ?? [])
  const seen = mayListMembers(viewer, project)
    ? await findVisibleUsers(context, context.db, viewer, members)
    : new Map<AccountId, UserRow>()
  const activities = events.flatMap((event) => describeEvent(context, language, event, seen) ?? [])
  return { activities, hides: activities.length < events.length }
}

function mayListMembers(viewer: Viewer, project: FoundProject): boolean {
  return project.is_admin || viewer.is_site_admin === true
}

function describeEvent(
  context: Context,
  language: Catalogue,
  event: EventContent,
  seen: ReadonlyMap<AccountId, UserRow>,
): ActivityEntry | undefined {
  const { type, on, actor_id } = event
  const common = { on, actor_id: actor_id === null ? null : toId<AccountId>(actor_id) }
  const name = `activity.${type.replace('.', '_')}`
  if (PROJECT_EVENT_TYPES.includes(type))
    return { ...common, icon_name: 'fa-cog', html_message: getMessage(language, messageName(name, event)) }
  const id = parseMember(event)
  const member = id === undefined ? undefined : seen.get(id)
  if (!member) return undefined
  const { user_url, display_name } = representUserMinimal(context, member)
  const user = `<a href="${escapeHtml(user_url ?? '')}">${escapeHtml(display_name)}</a>`
  return { ...common, icon_name: 'fa-users', html_message: getMessage(language, name, { user }) }
}

/** A more specific message if a single member changed. */
function messageName(name: string, { payload }: EventContent): string {
  return Check(ChangedPayload, payload) ? `${name}.${payload.changed[0]}` : name
}

function parseMember({ payload }: EventContent): AccountId | undefined {
  return Check(MemberPayload, payload) && isId<AccountId>(payload.account_id) ? payload.account_id : undefined
}

import type { NamedObject } from '../../../artifacts/object-kinds.ts'
import type { ActivePerson } from '../../../accounts/users/find-active-people.ts'
import { findVisibleUsers } from '../../../accounts/users/find-users-by.ts'
import { representUserMinimal } from '../../../accounts/users/user.ts'
import type { ArtifactId } from '../../../artifacts/artifact.ts'
import { describeVersion, type DescribedVersion } from '../../../artifacts/history/describe-version.ts'
import { toId } from '../../../platform/database/ids.ts'
import type { AccountId, Viewer } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { retryOnConflict } from '../../../platform/operation/retry-on-conflict.ts'
import { type Catalogue, selectCatalogue, getMessage } from '../../../platform/messages/catalogue.ts'
import { ApiError } from '../../../platform/messages/errors.ts'
import { findProject } from '../../../projects/find-project.ts'
import type { FeedEvent } from '../../feed-event.ts'
import { representEvents } from '../../represent-events.ts'
import type { VisibleEvent } from '../../scan-events.ts'

/** One event for one person, cut to the person's current permissions. */
export interface DescribedNotice {
  /** A short reference to the object: `bug #12`. */
  readonly xref: string
  readonly title: string
  readonly heading: string
  readonly changes: DescribedVersion['changes']
  readonly comment: string
  /** The object that the unsubscribe link mutes. */
  readonly object: NamedObject
  readonly event: FeedEvent
}

/** Undefined: the person may not read the event any more. */
export async function describeNotice(
  context: Context,
  person: ActivePerson,
  epoch: string,
  seen: VisibleEvent,
): Promise<DescribedNotice | undefined> {
  const { viewer } = person
  const [event] = await retryOnConflict(() => representEvents(context, viewer, epoch, [seen]))
  if (!event) return undefined
  const language = languageOf(context, viewer)
  const who = await actorName(context, viewer, seen.actor_id, language)
  const about = { context, viewer, language, event, seen }
  const description = event.type.startsWith('artifact.')
    ? await describeArtifactNotice(about)
    : await describeContainerNotice(about)
  if (!description) return undefined
  const { name, ...rest } = description
  const what = [rest.xref, rest.title].filter(Boolean).join(' ')
  return { ...rest, event, heading: getMessage(language, `notice.${name}`, { who, what }) }
}

export function languageOf({ settings }: Context, { language }: Viewer): Catalogue {
  return selectCatalogue([language, settings.current.language])
}

interface NoticeSubject {
  readonly context: Context
  readonly viewer: Viewer
  readonly language: Catalogue
  readonly event: FeedEvent
  readonly seen: VisibleEvent
}

/** Of a deleted artifact only the number is shown. */
async function describeArtifactNotice({ context, viewer, language, event, seen }: NoticeSubject) {
  const id = toId<ArtifactId>(Number(event.object?.split('/')[1]))
  const object: NamedObject = { kind: 'artifact', id }
  const bare = { object, xref: `#${id}`, title: '', changes: [], comment: '' }
  if (event.type === 'artifact.deleted') return { ...bare, name: event.type }
  if (event.version === null || seen.tracker_id === null) return undefined
  const audience = { context, db: context.db, viewer, language }
  const version = await describeVersion(audience, id, event.version).catch(unlessHidden)
  if (!version) return undefined
  const { xref, changes, comment } = version
  const title = toSingleLine(version.title ?? '')
  if (event.type === 'artifact.moved') return { ...bare, xref, title, name: event.type }
  const isComment = event.type === 'artifact.updated' && changes.length === 0 && comment !== ''
  return { object, xref, title, changes, comment, name: isComment ? 'artifact.commented' : event.type }
}

function unlessHidden(error: unknown): undefined {
  if (error instanceof ApiError && error.status < 500) return undefined
  throw error
}

/** Of trackers and projects only the name is shown. */
async function describeContainerNotice({ context, viewer, event, seen }: NoticeSubject) {
  const nothing = { title: '', changes: [], comment: '', name: event.type }
  if (event.type.startsWith('tracker.')) {
    const tracker = seen.tracker_id === null ? undefined : await context.trackers.now(context.db, seen.tracker_id)
    const object = tracker && ({ kind: 'tracker', id: tracker.id } as const)
    return tracker && object ? { ...nothing, object, xref: toSingleLine(tracker.label) } : undefined
  }
  const project = await findProject(context.db, viewer, seen.project_id).catch(unlessHidden)
  const object = { kind: 'project', id: seen.project_id } as const
  return project ? { ...nothing, object, xref: toSingleLine(project.label) } : undefined
}

async function actorName(context: Context, viewer: Viewer, actor: number | null, language: Catalogue): Promise<string> {
  const id = actor === null ? undefined : toId<AccountId>(actor)
  const found = id && (await findVisibleUsers(context, context.db, viewer, [id])).get(id)
  return toSingleLine(
    (found && representUserMinimal(context, found).display_name) || getMessage(language, 'notice.unknown_person'),
  )
}

/** Names and titles never start a line of their own, where they could pass for text of the platform. */
export function toSingleLine(value: string): string {
  return value.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

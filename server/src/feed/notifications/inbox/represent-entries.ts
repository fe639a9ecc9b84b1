import { type Static, Type } from 'typebox'
import type { Artifact, ArtifactId } from '../../../artifacts/artifact.ts'
import { findEventVersions, type EventVersion } from '../../../artifacts/history/event-versions.ts'
import { findArtifacts, type FoundArtifact } from '../../../artifacts/reading/find-artifact.ts'
import { readableTitle } from '../../../artifacts/reading/title.ts'
import { toId } from '../../../platform/database/ids.ts'
import type { Viewer } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { toPlainText } from '../../../platform/rich-text/plain-text.ts'
import { apiDate } from '../../../platform/wire/dates.ts'
import { nullable } from '../../../platform/wire/nullable.ts'
import { findProject } from '../../../projects/find-project.ts'
import { projectReferenceOf } from '../../../trackers/represent-tracker.ts'
import { ProjectReference } from '../../../trackers/schemas.ts'
import { FeedEvent } from '../../feed-event.ts'
import { representEvents } from '../../represent-events.ts'
import { NOTIFICATION_REASONS, type NotificationReason } from '../notification-reasons.ts'
import type { InboxEntry } from './find-entries.ts'
import { NOTIFICATION_KINDS, notificationKind } from './notification-kind.ts'

const StatusOfChange = nullable(Type.Object({ value: Type.String(), color: nullable(Type.String()) }))

const StatusChange = Type.Object(
  {
    label: Type.String({ description: 'The label of the field.' }),
    from: StatusOfChange,
    to: StatusOfChange,
  },
  { title: 'StatusChange' },
)

export const Notification = Type.Object(
  {
    id: Type.Integer(),
    on: Type.String(),
    why: Type.Enum([...NOTIFICATION_REASONS]),
    kind: Type.Enum([...NOTIFICATION_KINDS], {
      description: 'The kind of change; `mention`: the caller is mentioned.',
    }),
    event: FeedEvent,
    object: nullable(Type.String({ description: 'The address of the object, below `/api`.' })),
    title: nullable(Type.String({ description: 'Current title of the artifact.' })),
    xref: nullable(Type.String({ description: 'The reference of the artifact; null if it cannot be read.' })),
    project: nullable(ProjectReference),
    excerpt: Type.String({ description: 'The beginning of the comment, or the names of the changed fields.' }),
    status_change: nullable(StatusChange, 'The status before and after; null: the status has not changed.'),
    is_read: Type.Boolean(),
    snoozed_until: nullable(Type.String(), 'Hidden until then; null: not hidden now.'),
  },
  { title: 'Notification' },
)
export type InboxNotification = Static<typeof Notification>

const MAX_EXCERPT_LENGTH = 200

/** Entries as their owner may read them now. Undefined: a tracker has changed since they were read. */
export async function representInboxEntries(
  context: Context,
  viewer: Viewer,
  entries: readonly InboxEntry[],
): Promise<InboxNotification[] | undefined> {
  const epochs = Map.groupBy(entries, ({ epoch }) => epoch)
  const events = new Map<number, FeedEvent>()
  for (const [epoch, some] of epochs) {
    const shown = await representEvents(
      context,
      viewer,
      epoch,
      some.map(({ seen }) => seen),
    )
    if (!shown) return undefined
    for (const [at, event] of shown.entries()) events.set(some[at]?.id ?? 0, event)
  }
  const known = await findEventArtifacts(context, viewer, [...events.values()])
  const notifications: InboxNotification[] = []
  for (const entry of entries) {
    const event = events.get(entry.id)
    if (!event) continue
    const { id, on, why, is_read, snoozed_until: until } = entry
    const described = event.type.startsWith('artifact.')
      ? describeArtifactEvent(event, why, known)
      : await describeContainerEvent(context, viewer, entry, event)
    const snoozed_until = until && apiDate(until)
    notifications.push({ id, on: apiDate(on), why, event, object: event.object, ...described, is_read, snoozed_until })
  }
  return notifications
}

interface KnownArtifacts {
  readonly artifacts: ReadonlyMap<number, FoundArtifact>
  readonly versions: ReadonlyMap<string, EventVersion>
}

async function findEventArtifacts(
  context: Context,
  viewer: Viewer,
  events: readonly FeedEvent[],
): Promise<KnownArtifacts> {
  const wanted = events
    .filter(({ type }) => type.startsWith('artifact.') && type !== 'artifact.deleted')
    .map((event) => ({ artifact: eventArtifactId(event), version: event.version ?? 0 }))
  const ids = [...new Set(wanted.map(({ artifact }) => artifact))]
  const artifacts = ids.length === 0 ? [] : await findArtifacts(context, context.db, viewer, ids, { extent: 'head' })
  const versions = await findEventVersions(context.db, wanted)
  return {
    artifacts: new Map(artifacts.map((found) => [found.artifact.id, found])),
    versions: new Map(versions.map((row) => [`${row.artifact_id} ${row.version}`, row])),
  }
}

function eventArtifactId({ object }: FeedEvent): Artifact['id'] {
  return toId<ArtifactId>(Number(object?.split('/')[1]))
}

type Described = Pick<InboxNotification, 'kind' | 'title' | 'xref' | 'project' | 'excerpt' | 'status_change'>

/** The comment is shown only if the event reports one that this reader may read. */
function describeArtifactEvent(
  event: FeedEvent,
  why: NotificationReason,
  { artifacts, versions }: KnownArtifacts,
): Described {
  const found = event.type === 'artifact.deleted' ? undefined : artifacts.get(eventArtifactId(event))
  const kind = notificationKind(event, why, found?.access)
  if (!found) return { kind, title: null, xref: null, project: null, excerpt: '', status_change: null }
  const version = versions.get(`${eventArtifactId(event)} ${event.version}`)
  const comment = event.has_comment && version?.comment_format ? (version.comment ?? '') : ''
  const changed = event.type === 'artifact.created' ? [] : event.changed // A creation changes all fields, so listing them is useless.
  const labels = changed.map((name) => found.access.readable.find((each) => each.name === name)?.label ?? name)
  const excerpt = comment === '' ? labels.join(', ') : toPlainText(version?.comment_format ?? 'text', comment)
  const { tracker } = found.access
  return {
    kind,
    title: readableTitle(found),
    xref: `${tracker.item_name} #${found.artifact.id}`,
    project: projectReferenceOf(tracker),
    excerpt: truncateExcerpt(excerpt),
    status_change: describeStatusChange(event, found.access),
  }
}

/** The event has a transition only if this reader may read the status. */
function describeStatusChange(
  { transition }: FeedEvent,
  { tracker, readable }: FoundArtifact['access'],
): InboxNotification['status_change'] {
  const field = readable.find(({ id }) => id === tracker.semantics.status?.field_id)
  if (!transition || field?.bind?.type !== 'static') return null
  const { values } = field.bind
  const valueOf = (id: number | null) => {
    const value = values.find((each) => each.id === id)
    return value ? { value: value.label, color: value.color } : null
  }
  return { label: field.label, from: valueOf(transition.from), to: valueOf(transition.to) }
}

function truncateExcerpt(described: string): string {
  return described.length > MAX_EXCERPT_LENGTH
    ? `${described.slice(0, MAX_EXCERPT_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
    : described
}

/** The current names; null if the object is gone. */
async function describeContainerEvent(
  { db, trackers }: Context,
  viewer: Viewer,
  { why, seen }: InboxEntry,
  event: FeedEvent,
): Promise<Described> {
  const project = await findProject(db, viewer, seen.project_id).catch(() => undefined)
  const tracker = seen.tracker_id === null ? undefined : await trackers.now(db, seen.tracker_id)
  return {
    kind: notificationKind(event, why, undefined),
    title: (seen.tracker_id === null ? project : tracker)?.label ?? null,
    xref: null,
    project: project ? projectReferenceOf({ project }) : null,
    excerpt: event.changed.join(', '),
    status_change: null,
  }
}

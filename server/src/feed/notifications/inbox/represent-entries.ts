import { type Static, Type } from 'typebox'
import type { Artifact, ArtifactId } from '../../../artifacts/artifact.ts'
import { findToldVersions, type ToldVersion } from '../../../artifacts/history/told-versions.ts'
import { findArtifacts, type FoundArtifact } from '../../../artifacts/reading/find-artifact.ts'
import { titleOf } from '../../../artifacts/reading/title.ts'
import { toId } from '../../../platform/database/ids.ts'
import type { Viewer } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { plainText } from '../../../platform/texts/plain-text.ts'
import { apiDate } from '../../../platform/wire/dates.ts'
import { nullable } from '../../../platform/wire/nullable.ts'
import { findProject } from '../../../projects/find-project.ts'
import { FeedEvent, representEvents } from '../../represent-events.ts'
import { WHYS } from '../why.ts'
import type { Entry } from './find-entries.ts'

export const Notification = Type.Object(
  {
    id: Type.Integer(),
    on: Type.String(),
    why: Type.Enum([...WHYS]),
    event: FeedEvent,
    object: nullable(Type.String({ description: 'The address of what it is about, below `/api`.' })),
    title: nullable(Type.String({ description: 'Of the artifact, as it is called now.' })),
    excerpt: Type.String({ description: 'The beginning of the comment, or what has changed.' }),
    is_read: Type.Boolean(),
  },
  { title: 'Notification' },
)
type Notification = Static<typeof Notification>

const LONGEST = 200

/** Entries as their owner may read them now. Undefined: a tracker was changed after they were read. */
export async function representEntries(
  context: Context,
  viewer: Viewer,
  entries: readonly Entry[],
): Promise<Notification[] | undefined> {
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
  const known = await findArtifactsOf(context, viewer, [...events.values()])
  const notifications: Notification[] = []
  for (const entry of entries) {
    const event = events.get(entry.id)
    if (!event) continue
    const { id, on, why, is_read } = entry
    const words = event.type.startsWith('artifact.')
      ? wordsOfArtifact(event, known)
      : { title: await titleOfPlace(context, viewer, entry), excerpt: event.changed.join(', ') }
    notifications.push({ id, on: apiDate(on), why, event, object: event.object, ...words, is_read })
  }
  return notifications
}

interface Known {
  readonly artifacts: ReadonlyMap<number, FoundArtifact>
  readonly versions: ReadonlyMap<string, ToldVersion>
}

async function findArtifactsOf(context: Context, viewer: Viewer, events: readonly FeedEvent[]): Promise<Known> {
  const wanted = events
    .filter(({ type }) => type.startsWith('artifact.') && type !== 'artifact.deleted')
    .map((event) => ({ artifact: artifactOf(event), version: event.version ?? 0 }))
  const ids = [...new Set(wanted.map(({ artifact }) => artifact))]
  const artifacts = ids.length === 0 ? [] : await findArtifacts(context, context.db, viewer, ids, { extent: 'head' })
  const versions = await findToldVersions(context.db, wanted)
  return {
    artifacts: new Map(artifacts.map((found) => [found.artifact.id, found])),
    versions: new Map(versions.map((row) => [`${row.artifact_id} ${row.version}`, row])),
  }
}

function artifactOf({ object }: FeedEvent): Artifact['id'] {
  return toId<ArtifactId>(Number(object?.split('/')[1]))
}

/** A comment only where the event says that there is one for this reader. */
function wordsOfArtifact(event: FeedEvent, { artifacts, versions }: Known): Pick<Notification, 'title' | 'excerpt'> {
  const found = event.type === 'artifact.deleted' ? undefined : artifacts.get(artifactOf(event))
  if (!found) return { title: null, excerpt: '' }
  const version = versions.get(`${artifactOf(event)} ${event.version}`)
  const comment = event.has_comment && version?.comment_format ? (version.comment ?? '') : ''
  const changed = event.type === 'artifact.created' ? [] : event.changed // All of them, which says nothing.
  const labels = changed.map((name) => found.sight.readable.find((each) => each.name === name)?.label ?? name)
  const excerpt = comment === '' ? labels.join(', ') : plainText(version?.comment_format ?? 'text', comment)
  return { title: titleOf(found), excerpt: cut(excerpt) }
}

function cut(words: string): string {
  return words.length > LONGEST ? `${words.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : words
}

/** Its name; of what is gone, none. */
async function titleOfPlace({ db, trackers }: Context, viewer: Viewer, { seen }: Entry): Promise<string | null> {
  if (seen.tracker_id !== null) return (await trackers.now(db, seen.tracker_id))?.label ?? null
  const project = await findProject(db, viewer, seen.project_id).catch(() => undefined)
  return project?.label ?? null
}

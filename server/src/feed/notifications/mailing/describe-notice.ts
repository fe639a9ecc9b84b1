import type { ActivePerson } from '../../../accounts/users/find-active-people.ts'
import { findSeenUsers } from '../../../accounts/users/find-users-by.ts'
import { representUserMinimal } from '../../../accounts/users/user.ts'
import type { ArtifactId } from '../../../artifacts/artifact.ts'
import { describeVersion, type DescribedVersion } from '../../../artifacts/history/describe-version.ts'
import { toId } from '../../../platform/database/ids.ts'
import type { AccountId, Viewer } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { untilUnchanged } from '../../../platform/operation/until-unchanged.ts'
import { type Catalogue, catalogueFor, text } from '../../../platform/words/catalogue.ts'
import { ApiError } from '../../../platform/words/errors.ts'
import { findProject } from '../../../projects/find-project.ts'
import { type FeedEvent, representEvents } from '../../represent-events.ts'
import type { SeenEvent } from '../../read-stretch.ts'
import type { WatchedObject } from '../watching/watched-object.ts'

/** What one person is told of one event: nothing that he may not read at this moment. */
export interface DescribedNotice {
  /** What it is about, in a few words: `bug #12`. */
  readonly xref: string
  readonly title: string
  /** One sentence. */
  readonly heading: string
  readonly changes: DescribedVersion['changes']
  readonly comment: string
  /** What a click on the link in the mail ends. */
  readonly object: WatchedObject
  readonly event: FeedEvent
}

/** Undefined: nothing of it is for this person any more. */
export async function describeNotice(
  context: Context,
  person: ActivePerson,
  epoch: string,
  seen: SeenEvent,
): Promise<DescribedNotice | undefined> {
  const { viewer } = person
  const [event] = await untilUnchanged(() => representEvents(context, viewer, epoch, [seen]))
  if (!event) return undefined
  const language = languageOf(context, viewer)
  const who = await nameOfActor(context, viewer, seen.actor_id, language)
  const about = { context, viewer, language, event, seen }
  const told = event.type.startsWith('artifact.') ? await tellOfArtifact(about) : await tellOfPlace(about)
  if (!told) return undefined
  const { name, ...rest } = told
  const what = [rest.xref, rest.title].filter(Boolean).join(' ')
  return { ...rest, event, heading: text(language, `notice.${name}`, { who, what }) }
}

export function languageOf({ settings }: Context, { language }: Viewer): Catalogue {
  return catalogueFor([language, settings.current.language])
}

interface About {
  readonly context: Context
  readonly viewer: Viewer
  readonly language: Catalogue
  readonly event: FeedEvent
  readonly seen: SeenEvent
}

/** Of an artifact that is deleted only its number is told. */
async function tellOfArtifact({ context, viewer, language, event, seen }: About) {
  const id = toId<ArtifactId>(Number(event.object?.split('/')[1]))
  const object: WatchedObject = { kind: 'artifact', id }
  const bare = { object, xref: `#${id}`, title: '', changes: [], comment: '' }
  if (event.type === 'artifact.deleted') return { ...bare, name: event.type }
  if (event.version === null || seen.tracker_id === null) return undefined
  const audience = { context, db: context.db, viewer, language }
  const version = await describeVersion(audience, id, event.version).catch(unlessHidden)
  if (!version) return undefined
  const { xref, changes, comment } = version
  const title = oneLine(version.title ?? '')
  if (event.type === 'artifact.moved') return { ...bare, xref, title, name: event.type }
  const isComment = event.type === 'artifact.updated' && changes.length === 0 && comment !== ''
  return { object, xref, title, changes, comment, name: isComment ? 'artifact.commented' : event.type }
}

function unlessHidden(error: unknown): undefined {
  if (error instanceof ApiError && error.status < 500) return undefined
  throw error
}

/** Trackers and projects are told of by their names alone. */
async function tellOfPlace({ context, viewer, event, seen }: About) {
  const nothing = { title: '', changes: [], comment: '', name: event.type }
  if (event.type.startsWith('tracker.')) {
    const tracker = seen.tracker_id === null ? undefined : await context.trackers.now(context.db, seen.tracker_id)
    const object = tracker && ({ kind: 'tracker', id: tracker.id } as const)
    return tracker && object ? { ...nothing, object, xref: oneLine(tracker.label) } : undefined
  }
  const project = await findProject(context.db, viewer, seen.project_id).catch(unlessHidden)
  const object = { kind: 'project', id: seen.project_id } as const
  return project ? { ...nothing, object, xref: oneLine(project.label) } : undefined
}

async function nameOfActor(
  context: Context,
  viewer: Viewer,
  actor: number | null,
  language: Catalogue,
): Promise<string> {
  const id = actor === null ? undefined : toId<AccountId>(actor)
  const found = id && (await findSeenUsers(context, context.db, viewer, [id])).get(id)
  return oneLine((found && representUserMinimal(context, found).display_name) || text(language, 'notice.somebody'))
}

/** Nobody's name or title begins a line of its own, where it could be taken for words of ours. */
export function oneLine(words: string): string {
  return words.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

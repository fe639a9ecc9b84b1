import { type TSchema, Type } from 'typebox'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import { Changeset } from '../../artifacts/history/represent-changesets.ts'
import type { WebhookRequest } from '../../platform/http/route.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { GroupOfTracker, TrackerFull } from '../../trackers/schemas.ts'
import { EVENT_TYPES } from '../event-types.ts'
import { FeedEvent } from '../feed-event.ts'

/** The body with `payload: event`. */
export const EventPayload = Type.Object(
  {
    ...FeedEvent.properties,
    current: nullable(Changeset),
    previous: nullable(Changeset),
  },
  {
    title: 'WebhookEvent',
    description:
      'The event of the feed, with the version that it is about and the one before it; both are null for events that are not about an artifact. Cut to the permissions of the viewer of the webhook.',
  },
)

const { version: _, ...original } = Changeset.properties
const OriginalChangeset = Type.Object(original, { title: 'OriginalChangeset' })

/** The body with `payload: original`, for new and changed artifacts. */
export const OriginalPayload = Type.Object(
  {
    id: Type.Integer({ description: 'The artifact.' }),
    action: Type.Enum(['create', 'update']),
    user: UserMinimal,
    submitter_user_groups: Type.Array(GroupOfTracker),
    current: OriginalChangeset,
    previous: nullable(OriginalChangeset),
    is_custom_code_execution: Type.Boolean({ description: 'Always false.' }),
    tracker: TrackerFull,
  },
  { title: 'OriginalWebhookPayload', description: 'The format of the original product.' },
)

export const PingPayload = Type.Object(
  {
    id: Type.String(),
    type: Type.Literal('ping'),
    on: Type.String(),
    object: Type.String({ description: 'The address of the webhook, below `/api`.' }),
    project: Type.Object({ id: Type.Integer() }, { title: 'Named' }),
    tracker: nullable(Type.Object({ id: Type.Integer() }, { title: 'Named' })),
  },
  { title: 'WebhookPing' },
)

const SUMMARIES: Record<(typeof EVENT_TYPES)[number], string> = {
  'artifact.created': 'An artifact was created.',
  'artifact.updated': 'An artifact has a new version.',
  'artifact.deleted': 'An artifact was moved to the trash.',
  'artifact.restored': 'An artifact was restored from the trash.',
  'artifact.moved': 'An artifact was moved to another tracker.',
  'artifact.purged': 'An artifact was removed for good.',
  'artifact.ranked': 'An artifact was moved in the order of its tracker.',
  'comment.added': 'A comment was added to an artifact.',
  'comment.edited': 'A comment of an artifact was edited or deleted.',
  'tracker.created': 'A tracker was created.',
  'tracker.changed': 'The definition of a tracker was changed.',
  'tracker.deleted': 'A tracker was moved to the trash.',
  'tracker.restored': 'A tracker was restored from the trash.',
  'project.created': 'A project was created.',
  'project.changed': 'A project was changed.',
  'project.imported': 'An import into a project was finished.',
  'member.added': 'A person became a member of a project.',
  'member.removed': 'A person is no longer a member of a project.',
  'svn.commit': 'A revision was committed to a repository.',
  'svn.created': 'A repository was created.',
  'svn.changed': 'The settings of a repository were changed.',
  'svn.deleted': 'A repository was moved to the trash.',
  'rights.changed': 'The permissions of the viewer changed: read again what you keep.',
}

const OF_ARTIFACTS = /^(?:artifact|comment)\./
const OBJECTS = new Map([
  ['tracker', 'trackers/12'],
  ['project', 'projects/101'],
  ['member', 'projects/101'],
  ['svn', 'svn/3'],
])

/** The requests that webhooks send, for the API description. */
export const SENT_EVENTS: readonly WebhookRequest[] = [
  ...EVENT_TYPES.map((name) => sentEvent(name, SUMMARIES[name])),
  {
    name: 'ping',
    summary: 'A test of the webhook.',
    description: 'Sent by `POST /webhooks/{id}/test`, also while the webhook is switched off. It is about no change.',
    body: PingPayload,
    example: {
      id: 'ping.301',
      type: 'ping',
      on: '2026-03-01T09:30:00+00:00',
      object: 'webhooks/5',
      project: { id: 101 },
      tracker: { id: 12 },
    },
  },
]

function sentEvent(name: string, summary: string): WebhookRequest {
  const isVersion = name === 'artifact.created' || name === 'artifact.updated'
  const description = `Sent to webhooks whose \`events\` name it, after the change was committed, at least once. ${
    isVersion ? 'With `payload: original` the body has the format of the original product. ' : ''
  }Verify the signature before you read the body, and drop ids that you have seen.`
  const body: TSchema = isVersion ? Type.Union([EventPayload, OriginalPayload]) : EventPayload
  return { name, summary, description, body, example: exampleOf(name) }
}

function exampleOf(type: string): object {
  const [kind = ''] = type.split('.')
  const isOfArtifact = OF_ARTIFACTS.test(type)
  const object = isOfArtifact ? 'artifacts/2041' : OBJECTS.get(kind)
  return {
    id: 'fade.12.88',
    type,
    on: '2026-03-01T09:30:00+00:00',
    object: object ?? null,
    project: { id: 101 },
    tracker: isOfArtifact || kind === 'tracker' ? { id: 12 } : null,
    actor: { id: 102, username: 'mkeller' },
    version: isOfArtifact ? 7 : null,
    changed: type === 'artifact.updated' ? ['status'] : [],
    has_comment: kind === 'comment',
    silent: false,
    ...(type === 'artifact.updated' && { transition: { from: 870, to: 871 } }),
    ...(kind === 'member' && { member: { id: 103, username: 'tom' } }),
    ...(type === 'svn.commit' && { revision: 318, directories: ['/trunk/'] }),
    client_uuid: null,
    request_id: null,
    current: null,
    previous: null,
  }
}

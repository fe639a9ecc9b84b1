import { type Static, Type } from 'typebox'
import { Resources } from '../platform/wire/resources.ts'
import { Email } from '../accounts/addresses/email-rules.ts'
import { UserMinimal } from '../accounts/users/schemas.ts'
import { nullable } from '../platform/wire/nullable.ts'
import { UserGroupOfProject } from '../projects/groups/user-group.ts'
import { ProjectMinimal } from '../projects/schemas.ts'

const MAX_PATH_LENGTH = 4096
const path = (description: string) => Type.String({ minLength: 1, maxLength: MAX_PATH_LENGTH, description })

const state = Type.String({ minLength: 1, maxLength: 255 })
const commitRules = {
  is_reference_mandatory: Type.Boolean(),
  is_commit_message_change_allowed: Type.Boolean(),
  required_states: Type.Optional(
    Type.Array(state, {
      maxItems: 50,
      description:
        'A message must name an artifact that is in one of these states, by their labels. Absent: commits are free.',
    }),
  ),
  moves_to: Type.Optional(
    nullable(state, 'A commit moves it to this state, by a step that the workflow allows the committer.'),
  ),
}
const CommitRules = Type.Object(commitRules, { title: 'CommitRules' })
const CommitRulesToWrite = Type.Object(commitRules, { title: 'CommitRulesToWrite' })
const immutableTags = {
  paths: Type.Array(path('`*` stands for one whole segment.')),
  whitelist: Type.Array(path('Below it something may be added.')),
}
const ImmutableTags = Type.Object(immutableTags, { title: 'ImmutableTags' })
const ImmutableTagsToWrite = Type.Object(immutableTags, { title: 'ImmutableTagsToWrite' })
const AccessFile = Type.String({ description: 'Without the block that the server makes itself.' })

const { additional_information: _, ...groupMembers } = UserGroupOfProject.properties
/** Members that GET returns beside the id; clients send them back. */
const SHOWN_OF_USERS = Object.keys(UserMinimal.properties).filter((name) => name !== 'id')
const SHOWN_OF_GROUPS = Object.keys(groupMembers).filter((name) => name !== 'id')

/** Accepts the form that GET returns: users and groups as ids, or as objects with an id. */
const NotificationToWrite = Type.Object(
  {
    path: path('A directory; `*` stands for one whole segment.'),
    emails: Type.Array(Email, { maxItems: 1000 }),
    users: Type.Array(Type.Union([Type.Integer(), Type.Object({ id: Type.Integer() }, { shown: SHOWN_OF_USERS })]), {
      maxItems: 1000,
    }),
    user_groups: Type.Array(
      Type.Union([Type.String(), Type.Object({ id: Type.String() }, { shown: SHOWN_OF_GROUPS })]),
      {
        maxItems: 1000,
      },
    ),
  },
  { title: 'NotificationToWrite' },
)
const NotificationsToWrite = Type.Array(NotificationToWrite, { maxItems: 1000 })

export const NewRepositorySettings = Type.Object(
  {
    commit_rules: Type.Optional(CommitRulesToWrite),
    immutable_tags: Type.Optional(ImmutableTagsToWrite),
    access_file: Type.Optional(AccessFile),
    email_notifications: Type.Optional(NotificationsToWrite),
    has_default_permissions: Type.Optional(Type.Boolean()),
    layout: Type.Optional(
      Type.Array(path('A directory.'), { maxItems: 100, description: 'Directories to make in a first revision.' }),
    ),
  },
  { title: 'NewRepositorySettings' },
)
export type NewRepositorySettings = Static<typeof NewRepositorySettings>

export const WholeRepositorySettings = Type.Object(
  {
    commit_rules: CommitRulesToWrite,
    immutable_tags: ImmutableTagsToWrite,
    access_file: AccessFile,
    email_notifications: NotificationsToWrite,
    has_default_permissions: Type.Optional(Type.Boolean({ description: 'Absent, it becomes true.' })),
    layout: Type.Optional(Type.Unknown({ description: 'Refused: only a new repository has a layout.' })),
  },
  { title: 'RepositorySettingsToWrite' },
)

const Notification = Type.Object(
  {
    path: Type.String(),
    emails: Type.Array(Type.String()),
    users: Type.Array(UserMinimal),
    user_groups: Type.Array(Type.Object(groupMembers, { title: 'UserGroupMinimal' })),
  },
  { title: 'CommitNotification' },
)

const RepositorySettings = Type.Object(
  {
    commit_rules: CommitRules,
    immutable_tags: ImmutableTags,
    access_file: AccessFile,
    email_notifications: Type.Array(Notification),
    has_default_permissions: Type.Boolean(),
  },
  { title: 'RepositorySettings' },
)
export type RepositorySettings = Static<typeof RepositorySettings>

export const Repository = Type.Object(
  {
    id: Type.Integer(),
    project: ProjectMinimal,
    uri: Type.String(),
    name: Type.String(),
    svn_url: Type.String(),
    resources: Resources,
    settings: Type.Optional(RepositorySettings),
    warnings: Type.Optional(
      Type.Array(
        Type.Object({
          line: Type.Integer({ description: 'Of the access file.' }),
          group: Type.String({ description: 'A group that does not exist: its line is commented out.' }),
        }),
      ),
    ),
  },
  { title: 'Repository' },
)
export type Repository = Static<typeof Repository>

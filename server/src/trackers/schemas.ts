import { type Static, Type } from 'typebox'
import { truncatedMember } from '../platform/wire/max-bytes.ts'
import { nullable } from '../platform/wire/nullable.ts'

export const ProjectReference = Type.Object(
  { id: Type.Integer(), uri: Type.String(), label: Type.String(), icon: Type.String() },
  { title: 'ProjectReference' },
)
export type ProjectReference = Static<typeof ProjectReference>

export const TrackerReference = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    color: Type.String(),
    project: ProjectReference,
  },
  { title: 'TrackerReference' },
)
export type TrackerReference = Static<typeof TrackerReference>

const inNewDropdown = Type.Boolean({ description: 'Whether menus for new artifacts offer the tracker.' })

export const TrackerMinimal = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    color_name: Type.String(),
    project: ProjectReference,
    cannot_create_reasons: nullable(
      Type.Array(Type.String()),
      'The reasons why a title alone cannot create an artifact; null if not requested.',
    ),
    in_new_dropdown: Type.Optional(inNewDropdown),
  },
  { title: 'TrackerMinimal' },
)
export type TrackerMinimal = Static<typeof TrackerMinimal>

const inState = (what: string) =>
  Type.Optional(Type.Array(Type.Integer(), { description: `${what} With \`tracker_structure_format=state\`.` }))

export const TrackerOfArtifact = Type.Object(
  {
    ...TrackerMinimal.properties,
    frozen_fields: inState('Fields that are read-only in its state.'),
    hidden_fieldsets: inState('Fieldsets that are hidden in its state.'),
  },
  { title: 'TrackerOfArtifact' },
)
export type TrackerOfArtifact = Static<typeof TrackerOfArtifact>

/** A user group inside a tracker. */
export const GroupOfTracker = Type.Object(
  {
    id: Type.String(),
    uri: Type.String(),
    label: Type.String(),
    users_uri: Type.String(),
    short_name: Type.String(),
    key: Type.String(),
  },
  { title: 'UserGroupOfTracker' },
)
export type GroupOfTracker = Static<typeof GroupOfTracker>

const groups = Type.Array(GroupOfTracker)

export const TrackerField = Type.Object(
  {
    field_id: Type.Integer(),
    label: Type.String(),
    name: Type.String(),
    type: Type.String(),
    values: Type.Unknown({
      description:
        'The available values: a list, or an object; null for types without any. `subby` and `luby` have an empty list.',
    }),
    required: Type.Boolean(),
    collapsed: Type.Boolean(),
    bindings: Type.Object({ type: nullable(Type.String()), list: Type.Array(Type.Unknown()) }),
    permissions: Type.Array(Type.Enum(['read', 'update', 'create']), { description: 'The permissions of the caller.' }),
    permissions_for_groups: nullable(
      Type.Object({ can_submit: groups, can_read: groups, can_update: groups }),
      'For administrators of the tracker.',
    ),
    default_value: Type.Unknown(),
    has_notifications: Type.Boolean(),
    is_used: Type.Boolean(),
    description: Type.String(),
    specific_properties: Type.Record(Type.String(), Type.Unknown()),
    label_decorators: Type.Array(Type.Unknown()),
    is_time_displayed: Type.Optional(Type.Boolean({ description: 'Of dates.' })),
    file_creation_uri: Type.Optional(Type.String({ description: 'Of files, like `max_size_upload`.' })),
    max_size_upload: Type.Optional(Type.Integer()),
    hint: Type.Optional(Type.String({ description: 'Of open lists.' })),
    allowed_types: Type.Optional(
      Type.Array(
        Type.Object({ shortname: Type.String(), forward_label: Type.String(), reverse_label: Type.String() }),
        { description: 'Of links.' },
      ),
    ),
    is_hidden: Type.Optional(
      Type.Boolean({ description: 'Whether a fieldset is hidden in the state of the artifact.' }),
    ),
  },
  { title: 'TrackerField' },
)
export type TrackerField = Static<typeof TrackerField>

export const WorkflowOfTracker = Type.Object(
  {
    field_id: Type.Integer({ description: '0 if there is no workflow.' }),
    is_used: Type.Enum(['1', '0', '']),
    is_legacy: Type.Boolean(),
    is_advanced: Type.Boolean(),
    rules: Type.Object({
      dates: Type.Array(
        Type.Object({
          source_field_id: Type.Integer(),
          target_field_id: Type.Integer(),
          comparator: Type.String(),
        }),
      ),
      lists: Type.Array(
        Type.Object({
          source_field_id: Type.Integer(),
          source_value_id: Type.Integer(),
          target_field_id: Type.Integer(),
          target_value_id: Type.Integer(),
        }),
      ),
    }),
    transitions: Type.Array(
      Type.Object({
        id: Type.Integer(),
        uri: Type.Optional(Type.String({ description: 'For administrators of the tracker.' })),
        from_id: nullable(Type.Integer(), 'Null: a new artifact.'),
        to_id: Type.Integer(),
      }),
    ),
  },
  { title: 'WorkflowOfTracker' },
)
export type WorkflowOfTracker = Static<typeof WorkflowOfTracker>

const field = Type.Object({ field_id: Type.Integer() })

export const SemanticsOfTracker = Type.Object(
  {
    title: Type.Optional(field),
    description: Type.Optional(field),
    status: Type.Optional(Type.Object({ field_id: Type.Integer(), value_ids: Type.Array(Type.Integer()) })),
    contributor: Type.Optional(field),
    timeframe: Type.Optional(
      Type.Object({
        start_date_field_id: Type.Optional(Type.Integer()),
        duration_field_id: Type.Optional(Type.Integer()),
        end_date_field_id: Type.Optional(Type.Integer()),
        implied_from_tracker: Type.Optional(Type.Object({ id: Type.Integer(), uri: Type.String() })),
      }),
    ),
    progress: Type.Optional(
      Type.Object({
        total_effort_field_id: Type.Optional(Type.Integer()),
        remaining_effort_field_id: Type.Optional(Type.Integer()),
        artifact_link_type: Type.Optional(Type.String()),
      }),
    ),
    initial_effort: Type.Optional(field),
    done: Type.Optional(Type.Object({ value_ids: Type.Array(Type.Integer()) })),
  },
  { title: 'SemanticsOfTracker' },
)
export type SemanticsOfTracker = Static<typeof SemanticsOfTracker>

export const TrackerFull = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    html_url: Type.String(),
    project: ProjectReference,
    label: Type.String(),
    description: Type.String(),
    item_name: Type.String(),
    fields: Type.Array(TrackerField, { description: 'The used fields that the caller may read.' }),
    structure: Type.Array(
      Type.Object({
        id: Type.Integer(),
        content: nullable(Type.Array(Type.Unknown()), 'The content of a container, in the same form.'),
      }),
      { description: 'The form as a tree of the ids of all used elements.' },
    ),
    semantics: SemanticsOfTracker,
    workflow: nullable(WorkflowOfTracker, 'Null if the caller may not read its field.'),
    permissions_for_groups: nullable(
      Type.Object({
        can_access: groups,
        can_access_submitted_by_user: groups,
        can_access_assigned_to_group: groups,
        can_access_submitted_by_group: groups,
        can_admin: groups,
      }),
      'For administrators of the tracker.',
    ),
    parent: nullable(TrackerReference),
    resources: Type.Array(Type.Object({ type: Type.String(), uri: Type.String() })),
    color_name: Type.String(),
    notifications: Type.Object({ enabled: Type.Boolean() }),
    rank_version: Type.Integer({ description: 'The version of the order of its artifacts.' }),
    in_new_dropdown: inNewDropdown,
    instructions: Type.Object(
      { submit: Type.String(), browse: Type.String() },
      { description: 'Texts for the form of a new artifact, and for the list of artifacts.' },
    ),
    ...truncatedMember,
  },
  { title: 'Tracker' },
)
export type TrackerFull = Static<typeof TrackerFull>

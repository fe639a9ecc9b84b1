import type { TrackerDefinition } from './schemas.ts'

interface DefinitionExample {
  readonly title: string
  readonly text: string
  /** `POST`: a new tracker in a project; `PUT`: a new definition of the tracker with this `item_name`. */
  readonly method: 'POST' | 'PUT'
  readonly definition: TrackerDefinition
}

const epic: TrackerDefinition = {
  format: 'waypost-tracker/1',
  label: 'Epics',
  item_name: 'epic',
  description: 'Large pieces of work',
  color_name: 'deep-blue',
  elements: [
    { name: 'summary', type: 'string', label: 'Summary', required: true },
    {
      name: 'status',
      type: 'sb',
      label: 'Status',
      bind: { type: 'static', values: [{ label: 'Open' }, { label: 'Done' }], default: ['open'] },
    },
    { name: 'start', type: 'date', label: 'Start' },
    { name: 'end', type: 'date', label: 'End' },
    { name: 'links', type: 'art_link', label: 'Links' },
  ],
  semantics: {
    title: 'summary',
    status: { field: 'status', open: ['open'] },
    timeframe: { start: 'start', end: 'end' },
    progress: { link_type: '_is_child' },
  },
}

const story: TrackerDefinition = {
  label: 'Stories',
  item_name: 'story',
  settings: {
    submit_instructions: 'One story, one need.',
    browse_instructions: 'Open stories of the team.',
    allow_copy: true,
    instantiate_for_new_projects: false,
    log_priority_changes: true,
    notifications_level: 'status_change',
    private_comments: true,
    in_new_dropdown: true,
    allow_move: true,
    allow_deletion: true,
    require_precondition: false,
  },
  hierarchy: { parent: 'epic' },
  permissions: {
    full: ['@registered'],
    submitted_by_user: ['@registered'],
    submitted_by_group: ['@members'],
    assigned_to_group: ['@members'],
    admin: ['@members'],
  },
  elements: [
    {
      name: 'main',
      type: 'fieldset',
      label: 'Main',
      description: 'The need',
      content: [
        {
          name: 'left',
          type: 'column',
          label: 'Left',
          content: [
            {
              name: 'summary',
              type: 'string',
              label: 'Summary',
              required: true,
              properties: { maxchars: 255 },
              default: 'As a user, I want',
              permissions: { read: ['@anonymous'], submit: ['@registered'], update: ['@members'] },
            },
            { name: 'details', type: 'text', label: 'Details', description: 'With an example' },
          ],
        },
        {
          name: 'status',
          type: 'sb',
          label: 'Status',
          bind: {
            type: 'static',
            alphabetical: false,
            values: [
              { key: 'open', label: 'Open', color: 'fiesta-red', description: 'Not begun' },
              { key: 'in_work', label: 'In work', color: '#3366cc', limit: 4 },
              { key: 'done', label: 'Done', color: 'neon-green' },
              { key: 'dropped', label: 'Dropped', hidden: true },
            ],
            default: ['open'],
          },
        },
        {
          name: 'assigned_to',
          type: 'msb',
          label: 'Assigned to',
          notifications: true,
          bind: { type: 'users', sources: ['@members', 'artifact_submitters'], default: [] },
        },
        { name: 'team', type: 'sb', label: 'Team', bind: { type: 'ugroups', groups: ['@members'], default: [] } },
        {
          name: 'area',
          type: 'sb',
          label: 'Area',
          bind: { type: 'static', values: [{ label: 'Server' }, { label: 'Pages' }] },
        },
        {
          name: 'part',
          type: 'msb',
          label: 'Part',
          bind: { type: 'static', values: [{ label: 'Search' }, { label: 'Form' }] },
        },
        { name: 'epic_status', type: 'sb', label: 'Status of the epic', shared_from: 'epic.status' },
      ],
    },
    {
      name: 'plan',
      type: 'fieldset',
      label: 'Plan',
      content: [
        { name: 'start', type: 'date', label: 'Start' },
        { name: 'closed_on', type: 'date', label: 'Closed on' },
        { name: 'days', type: 'int', label: 'Days', default: 3 },
        { name: 'effort', type: 'float', label: 'Effort' },
        { name: 'remaining', type: 'float', label: 'Remaining' },
      ],
    },
    { name: 'links', type: 'art_link', label: 'Links', properties: { can_edit_reverse_links: true } },
  ],
  unused_elements: [{ name: 'old_notes', type: 'text', label: 'Old notes' }],
  semantics: {
    title: 'summary',
    description: 'details',
    status: { field: 'status', open: ['open', 'in_work'] },
    contributor: 'assigned_to',
    timeframe: { start: 'start', duration: 'days' },
    progress: { total: 'effort', remaining: 'remaining' },
    initial_effort: 'effort',
    done: ['done'],
    tooltip: ['summary', 'status'],
  },
  workflow: {
    field: 'status',
    used: true,
    mode: 'simple',
    states: [
      { to: 'open', from: ['@new', 'in_work'] },
      {
        to: 'in_work',
        from: ['open', 'done'],
        conditions: { groups: ['@members'], not_empty: ['assigned_to'], comment: true },
        actions: [
          { type: 'set_field_value', field: 'start', value: 'current' },
          { type: 'run_job', job_url: 'https://ci.waypost.example/job/build' },
        ],
      },
      {
        to: 'done',
        from: ['in_work'],
        actions: [
          { type: 'set_field_value', field: 'days', value: 0 },
          { type: 'frozen_fields', fields: ['summary'] },
          { type: 'hidden_fieldsets', fieldsets: ['plan'] },
        ],
      },
    ],
  },
  rules: {
    dates: [{ source: 'start', comparator: '≤', target: 'closed_on' }],
    lists: [
      { source: 'area', target: 'part', allow: { server: ['search'], pages: ['search', 'form'], '@none': ['@none'] } },
    ],
  },
  reports: [
    {
      label: 'Open stories',
      description: 'Work of the team',
      public: true,
      default: true,
      expert_query: 'status = "Open" OR status = "In work"',
      renderers: [
        {
          type: 'table',
          label: 'Table',
          columns: ['summary', 'status', 'assigned_to'],
          page_size: 50,
          sort: [{ field: 'summary', direction: 'asc' }],
          column_widths: [{ field: 'status', width: 120 }],
          grouped_by: { field: 'start', bucket: 'month' },
        },
      ],
    },
    {
      label: 'Searches',
      public: true,
      criteria: [{ field: 'summary', operator: 'contains', value: 'search' }],
      renderers: [{ type: 'table', label: 'Table', columns: ['summary'] }],
    },
  ],
  canned_responses: [{ title: 'Need an example', body: 'Please add an example to the details.' }],
  webhooks: [{ url: 'https://hooks.waypost.example/stories', events: ['artifact.*'], format: 'json' }],
}

const epicWithTrigger: TrackerDefinition = {
  ...epic,
  elements: [
    { name: 'title', renamed_from: 'summary', type: 'string', label: 'Title', required: true },
    {
      name: 'status',
      type: 'sb',
      label: 'Status',
      bind: {
        type: 'static',
        values: [{ label: 'Open' }, { key: 'finished', label: 'Finished', renamed_from: 'done' }],
        default: ['open'],
      },
    },
    ...(epic.elements ?? []).slice(2),
  ],
  semantics: { ...epic.semantics, title: 'title' },
  workflow: {
    field: 'status',
    used: true,
    mode: 'advanced',
    transitions: [
      { from: '@new', to: 'open' },
      {
        from: 'open',
        to: 'finished',
        conditions: { groups: ['@members'] },
        actions: [{ type: 'set_field_value', field: 'end', value: 'current' }],
      },
      { from: 'finished', to: 'open' },
    ],
  },
  triggers: [
    {
      target: { field: 'status', value: 'finished' },
      condition: 'all_of',
      when: [{ tracker: 'story', field: 'status', value: 'done' }],
    },
  ],
}

const task: TrackerDefinition = {
  label: 'Tasks',
  item_name: 'task',
  elements: [
    { name: 'summary', type: 'string', label: 'Summary' },
    { name: 'links', type: 'art_link', label: 'Links' },
  ],
  semantics: { title: 'summary', timeframe: { implied_from: 'story' } },
}

/** Examples that depend on each other, in order. Together they use every member. */
export const DEFINITION_EXAMPLES: readonly DefinitionExample[] = [
  {
    title: 'A small tracker',
    text: 'Four fields and links, with a meaning for title, status, time frame and progress.',
    method: 'POST',
    definition: epic,
  },
  {
    title: 'Nearly everything',
    text: 'A child of the tracker above, with permissions, containers, lists of every kind, a workflow, rules, reports and a webhook.',
    method: 'POST',
    definition: story,
  },
  {
    title: 'A change with new names, transitions and a trigger',
    text: 'The first tracker again: a field and a value get new names and keep their values; the workflow is advanced; an epic is finished when all of its stories are done.',
    method: 'PUT',
    definition: epicWithTrigger,
  },
  {
    title: 'A time frame of linked artifacts',
    text: 'A task takes its time frame from the story that it is linked to.',
    method: 'POST',
    definition: task,
  },
]

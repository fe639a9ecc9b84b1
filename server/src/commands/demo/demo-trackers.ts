import bugs from '../../trackers/templates/bugs.json' with { type: 'json' }
import scrum from '../../trackers/templates/scrum.json' with { type: 'json' }

const PRIORITIES = [
  { key: 'urgent', label: 'Urgent', color: 'fiesta-red' },
  { key: 'high', label: 'High', color: 'clockwork-orange' },
  { key: 'medium', label: 'Medium', color: 'lake-placid-blue' },
  { key: 'low', label: 'Low', color: 'inca-silver' },
]

const STATES = [
  { key: 'open', label: 'Open', color: 'lake-placid-blue' },
  { key: 'in_progress', label: 'In progress', color: 'clockwork-orange', limit: 5 },
  { key: 'in_review', label: 'In review', color: 'plum-crazy' },
  { key: 'done', label: 'Done', color: 'neon-green' },
]

/** The tracker of the manual for integrators, as a document. Everybody may read and write it. */
export const DEMO_TRACKER = {
  format: 'waypost-tracker/1',
  label: 'Tasks',
  item_name: 'task',
  description: 'The work of the team, in sprints of two weeks.',
  color_name: 'lake-placid-blue',
  permissions: { full: ['@anonymous'] },
  elements: [
    {
      name: 'task',
      type: 'fieldset',
      label: 'Task',
      content: [
        { name: 'summary', type: 'string', label: 'Summary', required: true, properties: { maxchars: 255 } },
        { name: 'details', type: 'text', label: 'Details' },
        {
          name: 'status',
          type: 'sb',
          label: 'Status',
          bind: { type: 'static', values: STATES, default: ['open'] },
        },
        {
          name: 'priority',
          type: 'sb',
          label: 'Priority',
          bind: { type: 'static', values: PRIORITIES, default: ['medium'] },
        },
        {
          name: 'assigned_to',
          type: 'msb',
          label: 'Assigned to',
          notifications: true,
          bind: { type: 'users', sources: ['@members'] },
        },
        { name: 'points', type: 'int', label: 'Points' },
        { name: 'due', type: 'date', label: 'Due' },
        { name: 'done_on', type: 'date', label: 'Done on' },
        {
          name: 'tags',
          type: 'tbl',
          label: 'Tags',
          bind: { type: 'static', values: [{ label: 'payouts' }, { label: 'checkout' }, { label: 'security' }] },
        },
      ],
    },
    {
      name: 'relations',
      type: 'fieldset',
      label: 'Relations',
      content: [
        { name: 'links', type: 'art_link', label: 'Links', properties: { can_edit_reverse_links: true } },
        { name: 'references', type: 'cross', label: 'References' },
        { name: 'attachments', type: 'file', label: 'Attachments' },
      ],
    },
  ],
  semantics: {
    title: 'summary',
    description: 'details',
    status: { field: 'status', open: ['open', 'in_progress', 'in_review'] },
    contributor: 'assigned_to',
    initial_effort: 'points',
    done: ['done'],
    tooltip: ['summary', 'status', 'assigned_to', 'due'],
  },
  workflow: {
    field: 'status',
    used: true,
    mode: 'simple',
    states: [
      { to: 'open', from: ['@new', 'in_progress', 'done'] },
      { to: 'in_progress', from: ['@new', 'open', 'in_review'] },
      { to: 'in_review', from: ['in_progress'] },
      {
        to: 'done',
        from: ['open', 'in_progress', 'in_review'],
        actions: [{ type: 'set_field_value', field: 'done_on', value: 'current' }],
      },
    ],
  },
}

/** The typed link of the examples of the API. */
export const DEMO_LINK_TYPE = { shortname: 'custom', forward_label: 'Blocks', reverse_label: 'Is blocked by' }

/** The first tasks: the manual for integrators names them by their ids, 101 to 103. */
export const DEMO_ARTIFACTS = [
  {
    summary: 'Rotate the signing keys of webhooks without downtime',
    details: 'Receivers accept **both keys** for 24 hours, see task #102.',
    assigned_to: 'tom',
    priority: 'High',
    points: 5,
  },
  {
    summary: 'Write the runbook for a failed payout run',
    details: 'Steps, the people on call, and how to start the run again. Needs task #101.',
    tags: ['payouts', 'on call'],
    points: 2,
  },
  {
    summary: 'Count refunds per currency on the wall display',
    status: 'In progress',
    assigned_to: 'mara',
    points: 1,
  },
]

/** The templates of the product, open to everybody in the project. */
export const DEMO_BUGS = { ...bugs, permissions: { full: ['@anonymous'] } }
export const DEMO_STORIES = { ...scrum, permissions: { full: ['@anonymous'] } }

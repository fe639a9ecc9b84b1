/** The demo tracker as a document, and its first artifacts. */
export const DEMO_TRACKER = {
  format: 'waypost-tracker/1',
  label: 'Tasks',
  item_name: 'task',
  description: 'What is to be done, and who does it.',
  color_name: 'acid-green',
  permissions: { full: ['@anonymous'] },
  elements: [
    {
      name: 'what',
      type: 'fieldset',
      label: 'What',
      content: [
        { name: 'summary', type: 'string', label: 'Summary', required: true, properties: { maxchars: 255 } },
        { name: 'details', type: 'text', label: 'Details' },
        {
          name: 'status',
          type: 'sb',
          label: 'Status',
          bind: {
            type: 'static',
            values: [
              { key: 'open', label: 'Open', color: 'lake-placid-blue' },
              { key: 'in_progress', label: 'In progress', color: 'clockwork-orange' },
              { key: 'done', label: 'Done', color: 'neon-green' },
            ],
            default: ['open'],
          },
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
        { name: 'tags', type: 'tbl', label: 'Tags', bind: { type: 'static', values: [{ label: 'apples' }] } },
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
    status: { field: 'status', open: ['open', 'in_progress'] },
    contributor: 'assigned_to',
  },
  workflow: {
    field: 'status',
    used: true,
    mode: 'simple',
    states: [
      { to: 'open', from: ['@new', 'in_progress', 'done'] },
      { to: 'in_progress', from: ['@new', 'open'] },
      {
        to: 'done',
        from: ['open', 'in_progress'],
        actions: [{ type: 'set_field_value', field: 'done_on', value: 'current' }],
      },
    ],
  },
}

/** The typed link of the examples of the API. */
export const DEMO_LINK_TYPE = { shortname: 'custom', forward_label: 'Follows', reverse_label: 'Is followed by' }

export const DEMO_ARTIFACTS = [
  { summary: 'Prune the young trees', details: 'Before the **first frost**.', assigned_to: 'tom', points: 5 },
  { summary: 'Repair the cider press', details: 'The handle is loose. Blocks art #101.', tags: ['apples', 'press'] },
  { summary: 'Count the crates', status: 'In progress', assigned_to: 'mara', points: 1 },
]

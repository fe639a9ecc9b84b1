import type { TrackerDefinition } from '../src/trackers/definition/schemas.ts'

/** A definition with something of everything, for Orchard. It needs no other tracker. */
export function wholeDefinition(): TrackerDefinition & Required<Pick<TrackerDefinition, 'elements'>> {
  return {
    format: 'waypost-tracker/1',
    label: 'Deliveries',
    item_name: 'delivery',
    description: 'What leaves the yard',
    color_name: 'deep_blue',
    settings: { submit_instructions: 'Weigh it first.', private_comments: true, notifications_level: 'status_change' },
    permissions: {
      full: ['@registered'],
      submitted_by_user: ['@registered'],
      submitted_by_group: ['leads'],
      assigned_to_group: ['@members'],
      admin: ['leads'],
    },
    elements: [
      {
        name: 'fs_main',
        type: 'fieldset',
        label: 'Main',
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
                default: 'Crates',
                permissions: { read: ['@anonymous'], submit: ['@registered'], update: ['@members'] },
              },
              { name: 'details', type: 'text', label: 'Details', properties: { rows: 5 } },
            ],
          },
          {
            name: 'status',
            type: 'sb',
            label: 'Status',
            bind: {
              type: 'static',
              values: [
                { key: 'open', label: 'Open', color: 'fiesta-red' },
                { key: 'loaded', label: 'Loaded', color: '#00FF00', description: 'On the cart' },
                { label: 'Gone for good' },
              ],
              default: ['open'],
            },
          },
          {
            name: 'driver',
            type: 'msb',
            label: 'Driver',
            notifications: true,
            bind: { type: 'users', sources: ['@members', 'artifact_submitters'], default: ['tom'] },
          },
          { name: 'team', type: 'sb', label: 'Team', bind: { type: 'ugroups', groups: ['@members', 'leads'] } },
          {
            name: 'fruit',
            type: 'sb',
            label: 'Fruit',
            bind: { type: 'static', values: [{ label: 'Apples' }, { label: 'Pears' }] },
          },
          {
            name: 'box',
            type: 'msb',
            label: 'Box',
            bind: { type: 'static', values: [{ label: 'Small' }, { label: 'Big' }] },
          },
        ],
      },
      { name: 'fs_more', type: 'fieldset', label: 'More', content: [{ type: 'linebreak', label: '' }] },
      { name: 'start', type: 'date', label: 'Start' },
      { name: 'closed_on', type: 'date', label: 'Closed on', properties: { display_time: true } },
      { name: 'days', type: 'int', label: 'Days', default: 3 },
      { name: 'weight', type: 'float', label: 'Weight' },
      { name: 'left_over', type: 'computed', label: 'Left over' },
      { name: 'tags', type: 'tbl', label: 'Tags', properties: { hint: 'any' } },
      { name: 'who', type: 'perm', label: 'Who sees it', default: ['leads'] },
      { name: 'links', type: 'art_link', label: 'Links', properties: { can_edit_reverse_links: true } },
      { name: 'number', type: 'aid', label: 'Number' },
      { name: 'made_on', type: 'subon', label: 'Made on' },
      { type: 'staticrichtext', label: 'Note', properties: { static_value: '<b>Mind the gap</b>' } },
    ],
    unused_elements: [{ name: 'old', type: 'string', label: 'Old' }],
    semantics: {
      title: 'summary',
      description: 'details',
      status: { field: 'status', open: ['open', 'loaded'] },
      contributor: 'driver',
      timeframe: { start: 'start', duration: 'days' },
      progress: { total: 'weight', remaining: 'left_over' },
      initial_effort: 'days',
      done: ['gone_for_good'],
      tooltip: ['summary', 'status'],
    },
    workflow: {
      field: 'status',
      mode: 'simple',
      states: [
        { to: 'open', from: ['@new', 'loaded'] },
        {
          to: 'loaded',
          from: ['open'],
          conditions: { groups: ['@members'], not_empty: ['driver'], comment: true },
          actions: [
            { type: 'set_field_value', field: 'closed_on', value: 'current' },
            { type: 'set_field_value', field: 'days', value: 0 },
            { type: 'frozen_fields', fields: ['summary'] },
            { type: 'hidden_fieldsets', fieldsets: ['fs_more'] },
            { type: 'run_job', job_url: 'https://ci.waypost.example/job/release' },
          ],
        },
        { to: 'gone_for_good', from: ['loaded'] },
      ],
    },
    rules: {
      dates: [{ source: 'start', comparator: '≤', target: 'closed_on' }],
      lists: [{ source: 'fruit', target: 'box', allow: { apples: ['small', 'big'], '@none': ['@none'] } }],
    },
    reports: [
      {
        label: 'Open ones',
        public: true,
        default: true,
        expert_query: 'status = "Open"',
        criteria: [],
        renderers: [{ type: 'table', label: 'Table', columns: ['summary', 'status'], page_size: 50 }],
      },
    ],
    canned_responses: [{ title: 'Late', body: 'The cart is on its way.' }],
    webhooks: [{ url: 'https://hooks.waypost.example/deliveries' }],
  }
}

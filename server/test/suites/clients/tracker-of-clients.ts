/**
 * The parts of a tracker that the public clients use: fields by label, by name and by type, semantics, an open list.
 */

const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const field = (name: string, type: string, label: string, more: object = {}) => ({ name, type, label, ...more })

export const BUGS_TRACKER = {
  format: 'waypost-tracker/1',
  label: 'Bugs',
  item_name: 'bug',
  description: 'What does not work.',
  color_name: 'fiesta-red',
  permissions: { full: ['@members'] },
  elements: [
    field('summary', 'string', 'Summary', { required: true }),
    field('details', 'text', 'Description'),
    field('status', 'sb', 'Status', { bind: list('New', 'Working', 'Closed') }),
    field('severity', 'rb', 'Severity', { bind: list('Low', 'High') }),
    field('change_request', 'cb', 'Change Request', { bind: list('Yes') }),
    field('change_request_status', 'sb', 'Change Request Status', { bind: list('Asked', 'Granted') }),
    field('approved_hours', 'float', 'Approved Hours'),
    field('technical_details', 'text', 'Technical Details'),
    field('assigned_to', 'msb', 'Assigned to', { bind: { type: 'users', sources: ['@members'] } }),
    field('user_group', 'sb', 'User group', { bind: { type: 'ugroups', groups: ['@admins', '@members'] } }),
    field('tags', 'tbl', 'Tags', { bind: list('fragile') }),
    field('due', 'date', 'Due'),
    field('points', 'int', 'Points'),
    field('attachments', 'file', 'Attachments'),
    field('links', 'art_link', 'Links', { properties: { can_edit_reverse_links: true } }),
    field('artifact_id', 'aid', 'Artifact id'),
    field('submitted_by', 'subby', 'Submitted by'),
    field('last_update_by', 'luby', 'Last update by'),
    field('submitted_on', 'subon', 'Submitted on'),
    field('last_update', 'lud', 'Last update'),
    field('references', 'cross', 'References'),
  ],
  semantics: {
    title: 'summary',
    description: 'details',
    status: { field: 'status', open: ['new', 'working'] },
    contributor: 'assigned_to',
  },
}

export const EPICS_TRACKER = plainTracker('Epics', 'epic')
export const STORIES_TRACKER = plainTracker('User Stories', 'story')

function plainTracker(label: string, item_name: string) {
  return {
    format: 'waypost-tracker/1',
    label,
    item_name,
    permissions: { full: ['@members'] },
    elements: [
      field('summary', 'string', 'Summary', { required: true }),
      field('status', 'sb', 'Status', { bind: list('New', 'Closed') }),
      field('links', 'art_link', 'Links'),
    ],
    semantics: { title: 'summary', status: { field: 'status', open: ['new'] } },
  }
}

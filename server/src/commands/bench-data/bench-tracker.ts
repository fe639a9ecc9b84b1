/** The definition of the bench tracker: permissions and list values. */
export const BENCH_PROJECT = 'bench'
export const LINK_TYPE = 'relates'
const NEEDLE = 'needle'

export const STATUSES = ['new', 'accepted', 'waiting', 'rejected', 'obsolete', 'done'] as const
/** Artifacts per status, in percent. */
export const STATUS_SHARES = [8, 12, 5, 5, 10, 60] as const
export const SEVERITIES = ['minor', 'normal', 'major', 'critical', 'blocking'] as const
export const COMPONENTS = Array.from({ length: 40 }, (_, index) => `component-${index + 1}`)
export const KINDS = ['defect', 'task', 'story', 'question', 'idea', 'risk', 'debt', 'chore'] as const
export const POINTS = [0, 1, 2, 3, 5, 8, 13, 20] as const
export const BENCH_TAG_COUNT = 5000

/** The roles that are measured; performance goals apply to `member`. */
const ROLES = ['member', 'group', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const BENCH_PEOPLE_COUNT = 2000
/** Static groups: index of the first member and size. The first member of a group is measured. */
export const GROUPS = {
  red: { first: 0, count: 200, role: 'member' },
  blue: { first: 200, count: 50, role: 'group' },
  bench_admins: { first: 250, count: 5, role: 'admin' },
} as const

const list = (keys: readonly string[]) => ({
  type: 'static',
  values: keys.map((key) => ({ key, label: key[0]?.toUpperCase() + key.slice(1) })),
})
const people = { type: 'users', sources: ['group_members'] }

/** The bench tracker as API input: 21 fields, all used. */
export const BENCH_DEFINITION = {
  format: 'waypost-tracker/1',
  label: 'Items',
  item_name: 'item',
  color_name: 'inca-silver',
  permissions: { full: ['@members', 'blue'], admin: ['bench_admins'] },
  elements: [
    { name: 'title', type: 'string', label: 'Title', required: true },
    { name: 'details', type: 'text', label: 'Details' },
    { name: 'status', type: 'sb', label: 'Status', bind: list(STATUSES) },
    { name: 'severity', type: 'rb', label: 'Severity', bind: list(SEVERITIES) },
    { name: 'component', type: 'msb', label: 'Component', bind: list([...COMPONENTS, NEEDLE]) },
    { name: 'kind', type: 'cb', label: 'Kind', bind: list(KINDS) },
    { name: 'assigned_to', type: 'msb', label: 'Assigned to', bind: people },
    { name: 'reviewer', type: 'sb', label: 'Reviewer', bind: people },
    { name: 'tags', type: 'tbl', label: 'Tags', bind: { type: 'static' } },
    { name: 'points', type: 'int', label: 'Points' },
    { name: 'hours', type: 'float', label: 'Hours' },
    { name: 'serial', type: 'int', label: 'Serial', permissions: { read: ['red'], submit: [], update: [] } },
    { name: 'due', type: 'date', label: 'Due' },
    { name: 'start', type: 'date', label: 'Start' },
    { name: 'checked', type: 'date', label: 'Checked', properties: { display_time: 1 } },
    { name: 'links', type: 'art_link', label: 'Links' },
    { name: 'refs', type: 'cross', label: 'References' },
    { name: 'total', type: 'computed', label: 'Total', properties: { target_field_name: 'points' } },
    { name: 'access', type: 'perm', label: 'Access' },
    { name: 'artifact_id', type: 'aid', label: 'Artifact id' },
    { name: 'number', type: 'atid', label: 'Number' },
  ],
  semantics: {
    title: 'title',
    description: 'details',
    status: { field: 'status', open: ['new', 'accepted'] },
    contributor: 'assigned_to',
  },
  workflow: {
    field: 'status',
    mode: 'advanced',
    transitions: STATUSES.flatMap((to) =>
      ['@new', ...STATUSES].filter((from) => from !== to).map((from) => ({ from, to })),
    ),
  },
}

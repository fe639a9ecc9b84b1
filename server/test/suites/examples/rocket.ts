import { sql } from 'kysely'
import { formatAccessKey, type AccessKeyId } from '../../../src/accounts/access-keys/access-key.ts'
import { toId } from '../../../src/platform/database/ids.ts'
import type { Db } from '../../../src/platform/database/db.ts'
import type { AccountId } from '../../../src/platform/http/viewer.ts'
import { sha256 } from '../../../src/platform/operation/secrets.ts'
import { type TestPerson, secretOf } from '../../fixtures/people.ts'

/** The people of the example documents, with their ids. */
export const ROCKET_ALICE = personOf(102, 'alice', 'Alice Martin', 4901)
export const ROCKET_BOB = personOf(103, 'bob', 'Bob Keller', 4902)

export const ROCKET = 105

function personOf(id: number, login: string, real_name: string, key: number): TestPerson {
  const key_id = toId<AccessKeyId>(key)
  return {
    id: toId<AccountId>(id),
    login,
    real_name,
    email: `${login}@waypost.example`,
    status: 'A',
    is_site_admin: false,
    key_id,
    key: formatAccessKey({ prefix: 'tlp', id: key_id, secret: secretOf(key_id) }),
  }
}

/** The project, its people, groups and link type. All other ids are far from each other. */
export async function seedRocket(db: Db): Promise<void> {
  const created_on = new Date('2026-01-01T00:00:00Z')
  for (const { id, login, real_name, email, key_id } of [ROCKET_ALICE, ROCKET_BOB]) {
    await sql`insert into account (id, login, real_name, email, status, has_avatar, created_on)
      values (${id}, ${login}, ${real_name}, ${email}, 'A', true, ${created_on})`.execute(db)
    await sql`insert into access_key (id, account_id, prefix, digest, scopes, created_on)
      values (${key_id}, ${id}, 'tlp', ${sha256(secretOf(key_id))}, '{write:rest}', ${created_on})`.execute(db)
  }
  await sql`insert into project (id, shortname, label, status, access, created_on)
    values (${ROCKET}, 'rocket', 'Rocket', 'active', 'public', ${created_on})`.execute(db)
  await sql`insert into project_service (project_id, name, label, is_enabled)
    values (${ROCKET}, 'plugin_tracker', 'Trackers', true)`.execute(db)
  await sql`insert into project_member (project_id, account_id, is_admin, added_on)
    values (${ROCKET}, ${ROCKET_ALICE.id}, false, ${created_on}), (${ROCKET}, ${ROCKET_BOB.id}, false, ${created_on})`.execute(
    db,
  )
  await sql`insert into user_group (id, project_id, short_name, created_on)
    values (158, ${ROCKET}, 'team_red', ${created_on}), (159, ${ROCKET}, 'bug_masters', ${created_on})`.execute(db)
  await sql`insert into user_group_member (project_id, user_group_id, account_id)
    values (${ROCKET}, 158, ${ROCKET_ALICE.id})`.execute(db)
  await sql`insert into link_type (shortname, forward_label, reverse_label) values ('fixed_in', 'Fixed in', 'Fixes')
    on conflict do nothing`.execute(db)
  await sql`select nextval('tracker_id_seq') from generate_series(1, 10000)`.execute(db)
  await sql`select nextval('tracker_part_id_seq') from generate_series(1, 20000)`.execute(db)
  await sql`select nextval('artifact_id_seq') from generate_series(1, 30000)`.execute(db)
  await sql`select nextval('artifact_rank_seq') from generate_series(1, 40000)`.execute(db)
  await sql`select nextval('changeset_id_seq') from generate_series(1, 50000)`.execute(db)
  await sql`select nextval('open_value_id_seq') from generate_series(1, 60000)`.execute(db)
  await sql`select nextval('file_id_seq') from generate_series(1, 70000)`.execute(db)
}

const EVERYBODY = { read: ['@anonymous'], submit: ['@registered'], update: ['@members'] }
const field = (type: string, name: string, label: string, more: object = {}) => ({
  name,
  type,
  label,
  permissions: EVERYBODY,
  ...more,
})
const plain = (type: string, name: string, label: string, more: object = {}) => ({ name, type, label, ...more })

const COMMON = {
  format: 'waypost-tracker/1',
  permissions: { full: ['@anonymous'] },
}

export const ROCKET_EPICS = {
  ...COMMON,
  label: 'Epics',
  item_name: 'epic',
  color_name: 'deep-blue',
  elements: [field('string', 'title', 'Title'), field('art_link', 'links', 'Links')],
  semantics: { title: 'title' },
}

export const ROCKET_TASKS = {
  ...COMMON,
  label: 'Tasks',
  item_name: 'task',
  color_name: 'lake-placid-blue',
  elements: [
    field('string', 'title', 'Title'),
    field('float', 'remaining', 'Remaining'),
    field('art_link', 'links', 'Links'),
  ],
  semantics: { title: 'title' },
}

const status = (key: string, label: string, color: string | null, more = {}) => ({ key, label, color, ...more })
const value = (label: string, color: string | null = null) => ({ label, color })

/** The tracker of `tracker.json`. */
export const ROCKET_BUGS = {
  ...COMMON,
  label: 'Bugs',
  item_name: 'bug',
  description: 'Defects of the launcher',
  color_name: 'fiesta-red',
  hierarchy: { parent: 'epic' },
  elements: [
    plain('fieldset', 'fs_main', 'Main', {
      content: [
        plain('column', 'col_left', 'Left', {
          content: [
            field('string', 'summary', 'Summary', { required: true, properties: { maxchars: 255, size: 60 } }),
            field('text', 'details', 'Details', { properties: { rows: 8, cols: 80 } }),
            field('sb', 'status', 'Status', {
              bind: {
                type: 'static',
                values: [
                  status('open', 'Open', 'fiesta-red'),
                  status('in_progress', 'In progress', 'clockwork-orange'),
                  status('closed', 'Closed', 'neon-green'),
                  status('duplicate', 'Duplicate', null, { hidden: true }),
                ],
                default: ['open'],
              },
            }),
            field('msb', 'assigned_to', 'Assigned to', {
              notifications: true,
              properties: { size: 7 },
              bind: { type: 'users', sources: ['@members'] },
            }),
          ],
        }),
        plain('column', 'col_right', 'Right', {
          content: [
            field('rb', 'severity', 'Severity', {
              required: true,
              bind: { type: 'static', values: [value('Low'), value('High', '#cc3300')], default: ['low'] },
            }),
            field('cb', 'environments', 'Environments', {
              bind: { type: 'static', values: [value('Test bench'), value('Launch pad'), value('Flight')] },
            }),
            field('tbl', 'tags', 'Tags', {
              properties: { hint: 'Type a tag' },
              bind: { type: 'static', values: [value('engine', 'deep-blue'), value('software')] },
            }),
            field('sb', 'team', 'Team', { bind: { type: 'ugroups', groups: ['@members', 'team_red'] } }),
            field('int', 'points', 'Points', { properties: { size: 5 } }),
            field('float', 'hours', 'Hours', { properties: { size: 5 } }),
            field('date', 'due', 'Due'),
            field('date', 'started', 'Started', { properties: { display_time: true } }),
            field('file', 'attachment', 'Attachments'),
          ],
        }),
        plain('linebreak', 'break_1', 'Line break'),
      ],
    }),
    plain('fieldset', 'fs_links', 'Relations', {
      content: [
        field('art_link', 'links', 'Links', { properties: { can_edit_reverse_links: true } }),
        field('perm', 'restricted', 'Restricted to'),
        field('computed', 'remaining', 'Remaining effort', { properties: { target_field_name: 'remaining' } }),
        plain('cross', 'references', 'References'),
        plain('staticrichtext', 'advice', 'Advice', {
          properties: { static_value: '<p>Attach the telemetry file.</p>' },
        }),
        plain('separator', 'sep_1', 'Separator'),
      ],
    }),
    plain('fieldset', 'fs_meta', 'History', {
      content: [
        plain('aid', 'artifact_id', 'Artifact id'),
        plain('atid', 'number', 'Number'),
        plain('subby', 'submitted_by', 'Submitted by'),
        plain('subon', 'submitted_on', 'Submitted on'),
        plain('luby', 'last_update_by', 'Last update by'),
        plain('lud', 'last_update', 'Last update'),
        plain('priority', 'rank', 'Rank'),
        plain('burndown', 'burndown', 'Burndown'),
      ],
    }),
  ],
  semantics: {
    title: 'summary',
    description: 'details',
    status: { field: 'status', open: ['open', 'in_progress'] },
    contributor: 'assigned_to',
    timeframe: { start: 'started', end: 'due' },
    initial_effort: 'points',
  },
  workflow: {
    field: 'status',
    used: true,
    mode: 'simple',
    states: [
      { to: 'open', from: ['@new', 'closed'] },
      { to: 'in_progress', from: ['open'] },
      { to: 'closed', from: ['in_progress'] },
    ],
  },
  rules: {
    dates: [{ source: 'started', comparator: '≤', target: 'due' }],
    lists: [
      {
        source: 'severity',
        target: 'environments',
        allow: { low: ['test_bench'], high: ['test_bench', 'launch_pad', 'flight'] },
      },
    ],
  },
}

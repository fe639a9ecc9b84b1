import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type MadeTracker, makeTestTracker } from '../../test/fixtures/every-field.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { linking, TREES } from '../../test/fixtures/linked-trackers.ts'
import { MARA } from '../../test/fixtures/people.ts'
import { ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { refused } from '../../test/harness/refused.ts'
import { callCommand, commandEnvironment } from '../../test/harness/run-command.ts'

const { api, context } = await startWorld()
const environment = commandEnvironment(context.config.WAYPOST_DATABASE_URL)
let trees: MadeTracker
const { create, plant, update, linksOf } = linking(api, () => trees)
const linkType = (...words: string[]) => callCommand(environment, ['link-type', ...words])
const make = (shortname: string, forward = 'Fixed in', reverse = 'Fixes') =>
  linkType('create', shortname, '--forward', forward, '--reverse', reverse)
const inOrchard = (word: 'disable' | 'enable', shortname = 'fixed_in') =>
  linkType(word, shortname, '--project', 'orchard')
const said = (out: string) => ({ code: 0, out, err: '' })
const failure = (err: string) => ({ code: 1, out: '', err })

beforeEach(async () => {
  trees = await makeTestTracker(api, TREES)
})

test('a running server applies the change at the next request, and keeps existing links', async () => {
  const target = await plant()
  const link = { links: [{ id: target, type: 'fixed_in' }] }
  const unknown = refused(400, 'reference_unknown', { cause: 'link_type_unknown' })
  const disabled = refused(400, 'value_not_allowed', { cause: 'link_type_disabled' })
  expect(await create(link)).toMatchObject(unknown)

  expect(await make('fixed_in')).toEqual(said('Link type fixed_in is made.\n'))
  const made = await create(link)
  expect(made.status).toBe(201)
  const offered = await api.get(`/trackers/${trees.id}`, { as: MARA })
  expect(offered.text).toContain('"fixed_in"')

  expect(await inOrchard('disable')).toEqual(said('Link type fixed_in is disabled in orchard.\n'))
  expect(await create(link)).toMatchObject(disabled)
  const ifNew = { 'if-none-match': offered.headers['etag'] }
  const now = await api.get(`/trackers/${trees.id}`, { as: MARA, headers: ifNew })
  expect(now.status).toBe(200)
  expect(now.text).not.toContain('"fixed_in"')
  const kept = { forward: [{ id: target, type: 'fixed_in' }], reverse: [] }
  expect(await linksOf(made.json.id)).toEqual(kept)
  expect((await update(made.json.id, link)).status).toBe(200)
  expect(await linksOf(made.json.id)).toEqual(kept)
  expect((await api.get(`/artifacts/${made.json.id}/links`, { as: MARA })).json.natures).toMatchObject([
    { shortname: 'fixed_in', direction: 'forward', label: 'Fixed in' },
  ])

  expect(await inOrchard('enable')).toEqual(said('Link type fixed_in is enabled in orchard.\n'))
  expect((await create(link)).status).toBe(201)
})

test('all types are listed, with the projects in which they are disabled', async () => {
  await make('fixed_in')
  await make('blocks', ' Blocks ', 'Is blocked by')
  await inOrchard('disable')
  await linkType('disable', 'fixed_in', '--project', 'nursery')

  const { code, out } = await linkType('list')
  expect(code).toBe(0)
  expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['TYPE', 'FORWARD', 'REVERSE', 'DISABLED IN'],
    ['_is_child', 'Child', 'Parent'],
    ['blocks', 'Blocks', 'Is blocked by'],
    ['fixed_in', 'Fixed in', 'Fixes', 'nursery, orchard'],
    [''],
  ])
})

test('each change is audited once', async () => {
  await make('fixed_in')
  for (const word of ['disable', 'disable', 'enable', 'enable'] as const)
    expect(await inOrchard(word)).toMatchObject({ code: 0, err: '' })
  expect(await linkType('rename', 'fixed_in', '--forward', 'Solved in')).toEqual(
    said('Link type fixed_in is renamed.\n'),
  )
  expect(await linkType('delete', 'fixed_in')).toEqual(said('Link type fixed_in is deleted.\n'))

  const { rows } = await sql`
    select action, project_id, credential_kind, actor_id, after from audit
    where object like '%link_types/fixed_in' order by id`.execute(context.db)
  const shell = { credential_kind: 'command_line', actor_id: null }
  const after = { shortname: 'fixed_in', forward_label: 'Fixed in', reverse_label: 'Fixes' }
  const renamed = { forward_label: 'Solved in', reverse_label: 'Fixes' }
  expect(rows).toEqual([
    { action: 'link_type.create', project_id: null, ...shell, after },
    { action: 'project.link_type', project_id: ORCHARD, ...shell, after: { enabled: false } },
    { action: 'project.link_type', project_id: ORCHARD, ...shell, after: { enabled: true } },
    { action: 'link_type.update', project_id: null, ...shell, after: renamed },
    { action: 'link_type.delete', project_id: null, ...shell, after: null },
  ])
})

test.each(['_fixed_in', 'Fixed', 'fixed-in', 'fixed2', 'fixed in', 'fixé', 'fixed\n', ''])(
  '%j is an invalid type name',
  async (shortname) => {
    expect(await make(shortname)).toEqual(failure('`shortname` is not a valid name.\n'))
  },
)

test('names and labels are limited, and a name is unique', async () => {
  expect(await make('f'.repeat(256))).toEqual(failure('`shortname` is out of range: 255 at most.\n'))
  expect(await make('fixed_in', ' ')).toEqual(failure('`forward_label` is out of range: from 1 to 255.\n'))
  expect(await make('fixed_in', 'Fixed in', '')).toEqual(failure('`reverse_label` is out of range: from 1 to 255.\n'))
  expect(await make('fixed_in', 'Fixed\nin')).toMatchObject({ code: 1, err: expect.stringContaining('line') })
  expect(await make('fixed_in', 'F'.repeat(256))).toEqual(failure('`forward_label` is out of range: from 1 to 255.\n'))
  expect(await make('f'.repeat(255), 'F'.repeat(255))).toMatchObject({ code: 0 })

  expect(await make('fixed_in')).toMatchObject({ code: 0 })
  expect(await make('fixed_in', 'Solved by', 'Solves')).toEqual(failure('`shortname` is already in use.\n'))
  expect((await linkType('create', 'blocks', '--forward', 'Blocks')).code).toBe(1)
})

test('an unknown type or project is reported, and types of the platform cannot be disabled', async () => {
  await make('fixed_in')
  for (const word of ['disable', 'enable'] as const) {
    expect(await inOrchard(word, 'eats')).toEqual(failure('There is no link type eats.\n'))
    expect(await linkType(word, 'fixed_in', '--project', 'nowhere')).toEqual(failure('There is no project nowhere.\n'))
  }
  expect(await inOrchard('disable', '_is_child')).toEqual(
    failure('This link type belongs to the platform: it cannot be changed, disabled or deleted.\n'),
  )
})

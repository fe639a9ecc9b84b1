import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { beginTestImport, finishTestImport, importLine, importLines } from '../../../test/fixtures/imports.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'
import { toId } from '../../platform/database/ids.ts'
import type { RepositoryId } from '../repository.ts'
import { recordRevisions } from './record-revisions.ts'

const { api, context, clock, svn, root, svnOrigin } = await startSvnWorld()
const CORE = `${svnOrigin}/svn/orchard/core`
const FOLDER = join(root, 'repositories', 'orchard', 'core')
let id: RepositoryId
let tracker: number
let field: number

beforeAll(async () => {
  const elements = [
    { name: 'title', type: 'string', label: 'Title' },
    { name: 'seen', type: 'cross', label: 'References' },
  ]
  const definition = { label: 'Plants', item_name: 'plant', elements, permissions: { full: ['@anonymous'] } }
  const made = await api.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body: definition })
  tracker = made.json.id
  field = made.json.fields.find(({ name }: { name: string }) => name === 'seen').field_id
  const settings = { layout: ['trunk', 'secret'], access_file: '[/secret]\n* =\n@leads = rw' }
  const { json } = await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core', settings } })
  id = toId(json.id)
})

// Feed readers stop before the oldest open transaction of the cluster, which other tests may hold.
const PATIENCE = { timeout: 60_000 }
let count = 0
const commit = (message: string, { as = TOM, below = 'trunk' } = {}) =>
  svn(as, 'mkdir', '-m', message, `${CORE}/${below}/d${count++}`)
const youngest = async () => Number((await svn(TOM, 'info', '--show-item', 'revision', CORE)).out)
const plant = async (title = 'Apple'): Promise<number> => {
  const fields: { name: string; field_id: number }[] = (await api.get(`/trackers/${tracker}`, { as: MARA })).json.fields
  const field_id = fields.find(({ name }) => name === 'title')?.field_id
  return (
    await api.post('/artifacts', { as: MARA, body: { tracker: { id: tracker }, values: [{ field_id, value: title }] } })
  ).json.id
}
const references = async (
  artifact: number,
  as?: TestPerson,
): Promise<{ ref: string; url: string; direction: string }[]> => {
  const { json } = await api.get(`/artifacts/${artifact}?values_format=all`, as && { as })
  return json.values.find(({ field_id }: { field_id: number }) => field_id === field)?.value ?? []
}
const recorded = async () => {
  const { rows } = await sql<{ revision: number; message: string; account_id: number | null }>`
    select revision, message, account_id from repository_revision where repository_id = ${id} order by revision`.execute(
    context.db,
  )
  return rows
}
const events = async (types: string, as?: TestPerson) =>
  (await api.get(`/events?types=${types}&limit=1000`, as && { as })).json.events

describe('a commit', () => {
  test('is recorded with its author, and its event is visible to signed-in users', async () => {
    expect((await commit('Plain words.')).error).toBe('')
    const revision = await youngest()
    expect((await recorded()).at(-1)).toEqual({ revision, message: 'Plain words.', account_id: TOM.id })
    await expect
      .poll(async () => (await events('svn.commit', OLGA)).at(-1), PATIENCE)
      .toMatchObject({
        type: 'svn.commit',
        object: `svn/${id}`,
        project: { id: ORCHARD },
        actor: { id: TOM.id, username: 'tom' },
        revision,
        directories: ['/trunk'],
      })
    expect(await events('svn.commit')).toEqual([])
  })

  test('is listed once on the artifact that it names', async () => {
    const apple = await plant()
    await commit(`closes plant #${apple}, art #${apple}; see art #${apple}`)
    const revision = await youngest()
    expect(await references(apple, TOM)).toEqual([
      {
        ref: `svn #core/${revision}`,
        url: `https://waypost.example/goto?key=svn&val=core%2F${revision}&group_id=${ORCHARD}`,
        direction: 'in',
      },
    ])
    await api.put(`/artifacts/${apple}`, {
      as: MARA,
      body: { comment: { body: `svn #core/${revision}`, format: 'text' } },
    })
    expect((await references(apple, TOM)).map(({ direction }) => direction)).toEqual(['both'])
  })

  test('is listed on an imported artifact whose old key it names', async () => {
    const started = await beginTestImport(api)
    const { lines } = await importLines(api, started, [importLine({ tracker, key: 'OLD-7' }, {})])
    await finishTestImport(api, started)
    await commit('fixes OLD-7 (not OLD-70, old-7)')
    const revision = await youngest()
    expect(await references(lines[0].id, TOM)).toMatchObject([{ ref: `svn #core/${revision}`, direction: 'in' }])
    const shown = async (as: TestPerson) => (await api.get(`/svn/${id}/revisions/${revision}`, { as })).json.references
    const url = `https://waypost.example/goto?key=art&val=${lines[0].id}&group_id=${ORCHARD}`
    expect(await shown(OLGA)).toEqual([{ ref: 'OLD-7', url }])
    await api.delete(`/artifacts/${lines[0].id}`, { as: MARA })
    expect(await shown(OLGA)).toEqual([])
  })

  test('is hidden from viewers who may not read all changed paths', async () => {
    const pear = await plant()
    await commit(`art #${pear}`, { as: UMA, below: 'secret' })
    const revision = await youngest()
    const refs = async (as?: TestPerson) => (await references(pear, as)).map(({ ref }) => ref)
    for (const as of [UMA, GUS]) expect(await refs(as)).toEqual([`svn #core/${revision}`])
    for (const as of [TOM, OLGA, MARA, undefined]) expect(await refs(as)).toEqual([])
    await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: { user_references: [{ id: TOM.id }] } })
    expect([await refs(TOM), await refs(UMA)]).toEqual([[`svn #core/${revision}`], []])
    await api.put(`/user_groups/${LEADS}/users`, {
      as: MARA,
      body: { user_references: [{ id: UMA.id }, { id: GUS.id }] },
    })
  })

  test('updates its references when its message changes', async () => {
    const [plum, fig] = [await plant(), await plant()]
    await commit(`art #${plum}`)
    const revision = await youngest()
    const { json } = await api.get(`/svn/${id}`, { as: MARA })
    const commit_rules = { is_reference_mandatory: false, is_commit_message_change_allowed: true }
    await api.put(`/svn/${id}`, { as: MARA, body: { settings: { ...json.settings, commit_rules } } })
    expect((await svn(TOM, 'propset', '--revprop', '-r', String(revision), 'svn:log', `art #${fig}`, CORE)).error).toBe(
      '',
    )
    expect([await references(plum, TOM), (await references(fig, TOM)).map(({ ref }) => ref)]).toEqual([
      [],
      [`svn #core/${revision}`],
    ])
  })
})

describe('a commit whose hook was lost', () => {
  test('is recorded once with its references, by whichever process finds it', async () => {
    const quince = await plant()
    const hook = join(FOLDER, 'hooks', 'post-commit')
    await rename(hook, `${hook}.away`)
    for (let number = 0; number < 3; number++) expect((await commit(`art #${quince}`)).error).toBe('')
    await rename(`${hook}.away`, hook)
    const last = await youngest()
    expect((await recorded()).at(-1)?.revision).toBe(last - 3)
    clock.advance(6000)
    await Promise.all([
      drainWorker(context),
      ...Array.from({ length: 3 }, () => recordRevisions(context, { id, project_id: ORCHARD }, FOLDER)),
    ])
    const revisions = (await recorded()).map(({ revision }) => revision)
    expect(revisions).toEqual(Array.from({ length: last }, (_, at) => at + 1))
    expect((await references(quince, TOM)).map(({ ref }) => ref)).toEqual(
      [last - 2, last - 1, last].map((each) => `svn #core/${each}`),
    )
    const reported = async () => {
      const found: { revision: number }[] = await events('svn.commit', TOM)
      return found.map(({ revision }) => revision).toSorted((one, other) => one - other)
    }
    await expect.poll(reported, PATIENCE).toEqual(revisions.slice(1)) // The first is the layout.
  })

  test('is recorded before the next commit', async () => {
    const hook = join(FOLDER, 'hooks', 'post-commit')
    await rename(hook, `${hook}.away`)
    await commit('Not told.')
    await rename(`${hook}.away`, hook)
    await commit('Told.')
    expect((await recorded()).slice(-2).map(({ message }) => message)).toEqual(['Not told.', 'Told.'])
  })
})

test('commit events require access to the project, settings events an administrator', async () => {
  const { json } = await api.post('/svn', { as: VICTOR, body: { project_id: VAULT, name: 'hoard' } })
  const objects = async (types: string, as?: TestPerson) =>
    (await events(types, as)).map(({ object }: { object: string }) => object)
  await expect.poll(() => objects('svn.created', VICTOR), PATIENCE).toContain(`svn/${json.id}`)
  expect(await objects('svn.created')).toEqual([`svn/${id}`])
  expect(await objects('svn.created', TOM)).toEqual([`svn/${id}`])
  expect(await objects('svn.changed', TOM)).toEqual([])
  for (const as of [MARA, ADA]) expect(await objects('svn.changed', as)).toEqual([`svn/${id}`])
})

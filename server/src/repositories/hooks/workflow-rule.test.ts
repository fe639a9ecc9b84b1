import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadRevisions } from '../../../test/fixtures/browsed-repository.ts'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { MARA, OLGA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'
import { dumpOf } from '../disk/svn-dump.ts'
import { getSvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import { recordRevisionsJob } from '../revisions/record-missed-revisions.ts'

const { api, context, svn, svnOrigin } = await startSvnWorld()
const CORE = `${svnOrigin}/svn/orchard/core`
const SETTINGS = { immutable_tags: { paths: [], whitelist: [] }, access_file: '', email_notifications: [] }
const FLAGS = { is_reference_mandatory: false, is_commit_message_change_allowed: false }
const BOARD = {
  label: 'Board',
  item_name: 'board',
  permissions: { full: ['@anonymous'] },
  elements: [
    { name: 'summary', type: 'string', label: 'Summary' },
    {
      name: 'status',
      type: 'sb',
      label: 'Status',
      bind: { type: 'static', values: ['New', 'Working', 'Checked', 'Closed'].map((label) => ({ label })) },
    },
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['new', 'working', 'checked'] } },
  workflow: {
    field: 'status',
    used: true,
    mode: 'simple',
    states: [
      { to: 'new', from: ['@new', 'working'] },
      { to: 'working', from: ['@new', 'new'] },
      { to: 'checked', from: ['working'], conditions: { groups: ['leads'], comment: true } },
      { to: 'closed', from: ['working', 'checked'] },
    ],
  },
}

let id: number
let folder: string
let board: MadeTracker
beforeAll(async () => {
  board = await makeTestTracker(api, BOARD)
  const body = { project_id: ORCHARD, name: 'core', settings: { layout: ['trunk'] } }
  id = (await api.post('/svn', { as: MARA, body })).json.id
  folder = repositoryFolder(getSvnFolders(context.config), { shortname: 'orchard', name: 'core' })
})

const rule = (commit_rules: object) =>
  api.put(`/svn/${id}`, { as: MARA, body: { settings: { ...SETTINGS, commit_rules: { ...FLAGS, ...commit_rules } } } })
const make = (status: string) => makeTestArtifact(api, board, { summary: 'Crates', status })
const shown = async (artifact: number) => (await api.get(`/artifacts/${artifact}`, { as: MARA })).json
const versions = async (artifact: number) => (await api.get(`/artifacts/${artifact}/changesets`, { as: MARA })).json
let count = 0
const commit = (message: string, as = TOM) => svn(as, 'mkdir', '-m', message, `${CORE}/trunk/d${count++}`)
const lookForRevisions = () =>
  recordRevisionsJob.run(context, {}, { id: 0, created_on: context.clock.now(), request_id: null })
const planned = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from repository_move`.execute(context.db)).rows[0]?.count

describe('the settings of a repository', () => {
  test('have states only if a request names some; the next request without them removes them', async () => {
    expect((await rule({})).json.settings.commit_rules).toEqual(FLAGS)
    const tied = { ...FLAGS, required_states: ['Working', 'Checked'], moves_to: 'Closed' }
    expect((await rule(tied)).json.settings.commit_rules).toEqual(tied)
    expect((await api.get(`/svn/${id}`, { as: MARA })).json.settings.commit_rules).toEqual(tied)
    expect((await rule({ required_states: ['Working'], moves_to: null })).json.settings.commit_rules).toEqual({
      ...FLAGS,
      required_states: ['Working'],
    })
    expect((await rule({})).json.settings.commit_rules).toEqual(FLAGS)
  })

  test('name each state once, and require states if they name a target state', async () => {
    const faults = [{ required_states: ['New', 'new'] }, { moves_to: 'Closed' }, { required_states: [''] }]
    const answers = await Promise.all(faults.map(rule))
    expect(answers.map(({ status, json }) => [status, json.error.details.path])).toEqual([
      [400, 'settings.commit_rules.required_states[1]'],
      [400, 'settings.commit_rules.required_states'],
      [400, 'settings.commit_rules.required_states[0]'],
    ])
  })
})

describe('a commit that is tied to the workflow', () => {
  test('must name an artifact in one of the states; the refusal names its current state', async () => {
    await rule({ required_states: ['working', 'Checked'] })
    const [fresh, working] = [await make('New'), await make('Working')]
    expect((await commit('Nothing named.')).error).toContain('in one of these states: working, Checked.')
    expect((await commit('board #999999')).error).toContain('The message must name an artifact')
    expect((await commit(`board #${fresh}`)).error).toContain(`It names board #${fresh}: New.`)
    expect((await commit(`board #${working}`)).error).toBe('')
    expect((await commit(`board #${fresh}, board #${working}`)).error).toBe('')
    expect([(await shown(fresh)).status, (await shown(working)).status]).toEqual(['New', 'Working'])
    await rule({})
    expect((await commit('Nothing named.')).error).toBe('')
  })

  test('moves the artifact as the committer, once, and its comment names the revision', async () => {
    await rule({ required_states: ['Working'], moves_to: 'Closed' })
    const [artifact, other] = [await make('Working'), await make('New')]
    expect((await commit(`Done with board #${artifact}, see board #${other}.`)).error).toBe('')
    const revision = Number((await svn(TOM, 'info', '--show-item', 'revision', CORE)).out)
    const { status, last_update_by_user } = await shown(artifact)
    expect([status, last_update_by_user.username]).toEqual(['Closed', 'tom'])
    const history = await versions(artifact)
    expect(history).toHaveLength(2)
    expect(history[1].last_comment.body).toBe(`svn #core/${revision}`)
    expect((await shown(other)).status).toBe('New')
    // It is closed now, and no other artifact is named.
    expect((await commit(`More on board #${artifact}.`)).error).toContain(`board #${artifact}: Closed.`)
    expect([await versions(artifact), await planned()]).toEqual([history, 0])
  })

  test('is refused if the workflow has no such transition for the committer; the refusal lists the possible ones', async () => {
    const [fresh, working] = [await make('New'), await make('Working')]
    await rule({ required_states: ['New'], moves_to: 'Closed' })
    const { code, error } = await commit(`board #${fresh}`)
    expect([code, error]).toEqual([1, expect.stringContaining(`would move board #${fresh} to Closed`)])
    expect(error).toContain('it can go to: Working.')
    await rule({ required_states: ['New'], moves_to: 'Gone' })
    expect((await commit(`board #${fresh}`)).error).toContain('to Gone, which its tracker does not know')
    await rule({ required_states: ['Working'], moves_to: 'Checked' })
    expect((await commit(`board #${working}`)).error).toContain('only for certain groups')
    expect([(await shown(fresh)).status, (await shown(working)).status]).toEqual(['New', 'Working'])
    expect((await commit(`board #${working}`, UMA)).error).toBe('')
    expect((await shown(working)).status).toBe('Checked')
    expect(await planned()).toBe(0)
  })

  test('is refused to a committer who may not change the artifact', async () => {
    await api.put(`/svn/${id}`, {
      as: MARA,
      body: {
        settings: {
          ...SETTINGS,
          access_file: '[/]\nolga = rw',
          commit_rules: { ...FLAGS, required_states: ['Working'], moves_to: 'Closed' },
        },
      },
    })
    const members = await makeTestTracker(api, { ...BOARD, item_name: 'inner', permissions: { full: ['@members'] } })
    const hidden = await makeTestArtifact(api, members, { summary: 'Crates', status: 'Working' })
    const { error } = await commit(`inner #${hidden}`, OLGA)
    expect([error.includes('The message must name an artifact that you may read'), error.includes('Working.')]).toEqual(
      [true, true],
    )
    expect((await commit(`inner #${hidden}`)).error).toBe('')
    expect((await shown(hidden)).status).toBe('Closed')
  })
})

describe('recording a revision', () => {
  const withoutHook = async (message: string) => {
    const hook = join(folder, 'hooks', 'post-commit')
    await rename(hook, `${hook}.away`)
    try {
      expect((await commit(message)).error).toBe('')
    } finally {
      await rename(`${hook}.away`, hook)
    }
  }

  test('executes the planned moves once, also if the post-commit hook was lost', async () => {
    await rule({ required_states: ['Working'], moves_to: 'Closed' })
    const artifact = await make('Working')
    await withoutHook(`board #${artifact}`)
    expect([(await shown(artifact)).status, await planned()]).toEqual(['Working', 1])
    await Promise.all([lookForRevisions(), lookForRevisions()])
    await lookForRevisions()
    expect([(await shown(artifact)).status, (await versions(artifact)).length, await planned()]).toEqual([
      'Closed',
      2,
      0,
    ])
  })

  test('skips moves that are no longer possible, and records the revision', async () => {
    const artifact = await make('Working')
    await withoutHook(`board #${artifact}`)
    const back = { values_by_field: { status: 'New' } }
    expect((await api.put(`/artifacts/${artifact}`, { as: MARA, body: back })).status).toBe(200)
    await lookForRevisions()
    expect([(await shown(artifact)).status, (await versions(artifact)).length, await planned()]).toEqual(['New', 2, 0])
    const { rows } = await sql<{ message: string }>`
      select message from repository_revision where repository_id = ${id} order by revision desc limit 1`.execute(
      context.db,
    )
    expect(rows).toEqual([{ message: `board #${artifact}` }])
  })

  test('moves nothing for imported revisions', async () => {
    const artifact = await make('Working')
    const date = new Date('2026-03-01T09:30:00Z')
    const nodes = [{ path: 'imported', nodeAction: 'add' as const }]
    await loadRevisions(folder, dumpOf([{ author: 'tom', message: `board #${artifact}`, date, nodes }]))
    await lookForRevisions()
    expect([(await shown(artifact)).status, (await versions(artifact)).length]).toEqual(['Working', 1])
  })
})

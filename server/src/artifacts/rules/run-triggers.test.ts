import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'

const { api, context } = await startWorld({ seedOnce: true })
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const done = (tracker: string) => ({ tracker, field: 'status', value: 'done' })
const plain = (item_name: string, more: object = {}) => ({
  label: item_name,
  item_name,
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string'),
    field('status', 'sb', { bind: list('Open', 'Started', 'Done') }),
    field('links', 'art_link'),
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['open', 'started'] } },
  ...more,
})

let epics: MadeTracker
let stories: MadeTracker
let tasks: MadeTracker
let notes: MadeTracker
beforeAll(async () => {
  epics = await makeTestTracker(api, plain('epic', { permissions: { full: ['@admins'] } }))
  stories = await makeTestTracker(api, plain('story', { hierarchy: { parent: 'epic' } }))
  tasks = await makeTestTracker(api, plain('task', { hierarchy: { parent: 'story' } }))
  notes = await makeTestTracker(api, plain('note', { hierarchy: { parent: 'story' } }))
  await define(epics, {
    triggers: [{ target: { field: 'status', value: 'done' }, condition: 'all_of', when: [done('story')] }],
  })
  await define(stories, {
    workflow: {
      field: 'status',
      mode: 'advanced',
      transitions: ['open', 'started', 'done'].flatMap((to) => [
        { from: '@new', to },
        ...(to === 'done' ? [{ from: 'started', to, conditions: { groups: ['leads'] } }] : []),
        ...(to === 'started' ? [{ from: 'open', to }] : []),
      ]),
    },
    triggers: [
      {
        target: { field: 'status', value: 'started' },
        condition: 'at_least_one',
        when: [{ tracker: 'task', field: 'status', value: 'started' }],
      },
      { target: { field: 'status', value: 'done' }, condition: 'all_of', when: [done('task')] },
    ],
  })
})

async function define(tracker: MadeTracker, more: object): Promise<void> {
  const { json } = await api.get(`/trackers/${tracker.id}/definition`, { as: MARA })
  const answer = await api.put(`/trackers/${tracker.id}/definition`, { as: MARA, body: { ...json, ...more } })
  if (answer.status !== 200) throw new Error(answer.text)
}
const make = (tracker: MadeTracker, status: string, children: number[] = []) =>
  makeTestArtifact(api, tracker, {
    summary: 'It',
    status,
    links: { links: children.map((id) => ({ id, type: '_is_child' })) },
  })
const move = (id: number, status: string, query = '') =>
  api.put(`/artifacts/${id}${query}`, { as: TOM, body: { values_by_field: { status } } })
const statusOf = async (id: number) => (await api.get(`/artifacts/${id}`, { as: MARA })).json.status
const lastVersion = async (id: number) =>
  (await api.get(`/artifacts/${id}/changesets?order=desc`, { as: MARA })).json[0]

describe('a trigger', () => {
  test('R12 leaves a comment that names no child: not every reader of the parent may see it', async () => {
    const task = await make(tasks, 'Open')
    const story = await make(stories, 'Open', [task])
    await move(task, 'Started')

    const { last_comment } = await lastVersion(story)
    expect(JSON.stringify(last_comment)).toContain('Changed by a trigger')
    expect(JSON.stringify(last_comment)).not.toMatch(new RegExp(`task|${task}`))
  })

  test('changes the parent when one child has the expected value', async () => {
    const task = await make(tasks, 'Open')
    const story = await make(stories, 'Open', [task, await make(tasks, 'Open')])

    expect((await move(task, 'Started')).status).toBe(200)
    expect(await statusOf(story)).toBe('Started')
    expect(await lastVersion(story)).toMatchObject({
      submitted_by: null,
      last_comment: {
        format: 'html',
        body: '<p>Changed by a trigger, because a child has changed.</p>',
      },
    })
  })

  test('waits for all children if configured, ignoring those of other trackers', async () => {
    const [one, other] = [await make(tasks, 'Open'), await make(tasks, 'Open')]
    const story = await make(stories, 'Started', [one, other, await make(notes, 'Open')])

    await move(one, 'Done')
    expect(await statusOf(story)).toBe('Started')
    await move(other, 'Done')
    expect(await statusOf(story)).toBe('Done') // Tom is in no permitted group; the platform needs no permission.
  })

  test('changes a parent that the author does not see, and its parents in turn', async () => {
    const task = await make(tasks, 'Open')
    const story = await make(stories, 'Started', [task])
    const epic = await make(epics, 'Open', [story])

    expect((await move(task, 'Done')).status).toBe(200)
    expect(await statusOf(epic)).toBe('Done')
    expect((await lastVersion(epic)).submitted_by).toBeNull()
  })

  test('also fires when a child is created with a parent', async () => {
    const story = await make(stories, 'Open')
    await makeTestArtifact(api, tasks, { summary: 'It', status: 'Started', links: { parent: { id: story } } })

    expect(await statusOf(story)).toBe('Started')
  })

  test('does nothing to a parent that already has the value', async () => {
    const task = await make(tasks, 'Open')
    const story = await make(stories, 'Started', [task])
    await move(task, 'Started')

    expect((await lastVersion(story)).version).toBe(1)
  })

  test('that the workflow of the parent does not allow fails alone, and is reported', async () => {
    const task = await make(tasks, 'Open')
    const story = await make(stories, 'Open', [task])

    expect((await move(task, 'Done')).status).toBe(200) // The workflow has no transition from open to done.
    expect(await statusOf(task)).toBe('Done')
    expect(await statusOf(story)).toBe('Open')
    const { rows } = await sql<{ payload: object }>`
      select payload from event where type = 'artifact.trigger_failed' and object = ${`artifacts/${story}`}`.execute(
      context.db,
    )
    expect(rows).toMatchObject([{ payload: { child_id: task, reason: 'transition_not_allowed' } }])
  })

  test('that cannot be written fails alone too', async () => {
    const task = await make(tasks, 'Open')
    const story = await make(stories, 'Open', [task])
    const other = await context.db.startTransaction().execute()
    await sql`select from artifact where id = ${story} for update`.execute(other)

    expect((await move(task, 'Started')).status).toBe(200) // The lock on the story timed out.
    await other.rollback().execute()
    expect(await statusOf(task)).toBe('Started')
    expect(await statusOf(story)).toBe('Open')
  })

  test('is reported by a dry run to callers who see the parent, and changes nothing', async () => {
    const task = await make(tasks, 'Open')
    const story = await make(stories, 'Started', [task])
    const epic = await make(epics, 'Open', [story])
    const { json } = await move(task, 'Done', '?dry_run=true')

    expect(json.dry_run.rules).toEqual([
      { rule: 'trigger', name: 'status: Done', effect: 'set', field_id: stories.field('status') },
    ])
    const objects = json.dry_run.changes.map(({ object }: { object: string }) => object)
    expect(objects).toEqual([`artifacts/${story}`, `artifacts/${task}`])
    expect(await statusOf(story)).toBe('Started')
    expect(await statusOf(epic)).toBe('Open')
  })

  test('misses nothing when all children change concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const children = [await make(tasks, 'Open'), await make(tasks, 'Open'), await make(tasks, 'Open')]
      const story = await make(stories, 'Started', children)
      await Promise.all(children.map((id) => move(id, 'Done')))
      expect(await statusOf(story)).toBe('Done')
    }
  })
})

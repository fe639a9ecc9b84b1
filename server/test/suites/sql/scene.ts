import type { Context } from '../../../src/platform/operation/context.ts'
import type { TestClient } from '../../harness/client.ts'
import { type MadeTracker, makeTestTracker } from '../../fixtures/every-field.ts'
import { TREES } from '../../fixtures/linked-trackers.ts'
import { MARA, TOM } from '../../fixtures/people.ts'
import { BUG, BUGS } from '../../fixtures/seed-ids.ts'
import { makeFileTracker } from '../../fixtures/uploads.ts'

/** The world of all pages: a server, and trackers of the project Orchard. */
export interface SqlStage {
  readonly api: TestClient
  readonly context: Context
  /** Another process, with empty caches. */
  readonly startAnother: () => Promise<{ api: TestClient }>
  readonly trees: MadeTracker
  readonly parcels: MadeTracker
  /** A story is done when all of its tasks are. */
  readonly stories: MadeTracker
  readonly tasks: MadeTracker
}

/** The stage of one run: `bug` is a new artifact of Tom, and `child` its child. */
export interface SqlScene extends SqlStage {
  readonly bug: number
  readonly child: number
}

export async function buildStage(world: Pick<SqlStage, 'api' | 'context' | 'startAnother'>): Promise<SqlStage> {
  const { api } = world
  const stories = await makeTestTracker(api, withStatus('story'))
  const tasks = await makeTestTracker(api, { ...withStatus('task'), hierarchy: { parent: 'story' } })
  const path = `/trackers/${stories.id}/definition`
  const { json: definition } = await api.get(path, { as: MARA })
  const done = { field: 'status', value: 'done' }
  const triggers = [{ target: done, condition: 'all_of', when: [{ tracker: 'task', ...done }] }]
  assertSucceeded(await api.put(path, { as: MARA, body: { ...definition, triggers } }))
  return { ...world, trees: await makeTestTracker(api, TREES), parcels: await makeFileTracker(api), stories, tasks }
}

export async function setScene(stage: SqlStage): Promise<SqlScene> {
  const { api } = stage
  const [child, bug] = [await reportBug(api, 'The seal is worn'), await reportBug(api, 'Pump leaks')]
  const values = [{ field_id: BUG.links, links: [{ id: child, type: '_is_child' }] }]
  assertSucceeded(await api.put(`/artifacts/${bug}`, { as: TOM, body: { values } }))
  return { ...stage, bug, child }
}

async function reportBug(api: TestClient, summary: string): Promise<number> {
  const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: summary } } }
  const answer = await api.post('/artifacts', { as: TOM, body })
  assertSucceeded(answer)
  return answer.json.id
}

/** A page shows the statements of a success. */
export function assertSucceeded(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null || !('status' in answer)) return
  if (Number(answer.status) >= 300) throw new Error(JSON.stringify(answer))
}

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const withStatus = (item_name: string) => ({
  label: item_name,
  item_name,
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string'),
    field('status', 'sb', { bind: { type: 'static', values: [{ label: 'Open' }, { label: 'Done' }] } }),
    field('links', 'art_link'),
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['open'] } },
})

export const BUG_LIST = `/trackers/${BUGS}/artifacts`

/** The body of a change of one number. */
export const changePoints = (value: number) => ({ values: [{ field_id: BUG.points, value }] })

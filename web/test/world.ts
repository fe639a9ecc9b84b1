import { drainWorker } from '../../server/test/harness/run-jobs.ts'
import { basic, type TestClient } from '../../server/test/harness/client.ts'
import { startWorld } from '../../server/test/harness/start-world.ts'
import { MARA, TOM } from '../../server/test/fixtures/people.ts'
import { leaveTraces } from './administered.ts'
import { makeGarden } from './garden.ts'
import { BUG, BUG_STATUS, BUGS, ORCHARD } from '../../server/test/fixtures/seed-ids.ts'
import { makeCrates } from './crates.ts'
import { makeDashboard } from './dashboard.ts'
import { makeDeliveries } from './deliveries.ts'
import { plantHarvest } from './harvest.ts'
import { makeTimeline } from './timeline.ts'
import { readWebUi, WEB_UI_FOLDER } from '../../server/src/platform/http/web-ui.ts'

/** A server with the built pages and the data of all screens. */
export async function startPages() {
  const world = await startFewPages()
  const harvest = await plantHarvest(world.api)
  const timeline = await makeTimeline(world)
  await makeGarden(world)
  await leaveTraces(world)
  await makeDashboard(world.api)
  await drainWorker(world.context)
  return { ...world, harvest, timeline }
}

/** The same without data that takes long to create. */
export async function startFewPages() {
  const webUi = await readWebUi(WEB_UI_FOLDER)
  if (!webUi) throw new Error('The pages are not built: npm run build.')
  const world = await startWorld({ seedOnce: true, webUi, environment: { WAYPOST_PUBLIC_URL: 'http://127.0.0.1' } })
  // Rows dated by the clock of the database are then not in the future.
  world.clock.set(new Date())
  await fillOrchard(world.api)
  await makeKeys(world.api)
  const deliveries = await makeDeliveries(world.api)
  const crates = await makeCrates(world.api)
  await drainWorker(world.context)
  return { ...world, deliveries, crates }
}

/** Creates access keys of Tom. */
async function makeKeys(api: TestClient): Promise<void> {
  const keys = [
    { description: 'nightly import', scopes: ['write:rest'] },
    { description: 'wall display in the packing hall', scopes: ['read:rest'], expiration_date: inDays(4) },
    { description: 'build server', scopes: ['write:rest', 'write:svn'], expiration_date: inDays(200) },
  ]
  for (const body of keys) {
    const { json } = await api.post('/access_keys', { headers: basic(TOM), body })
    const headers = { 'x-auth-accesskey': json.identifier }
    if (body.scopes.includes('read:rest')) await api.get('/users/self', { headers, reader: TOM })
  }
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString()
}

const BUG_TITLES = [
  'Pump at the north gate leaks when the pressure is above four bar',
  'Ladder count differs between depot and inventory',
  'Sorting belt stops for no reason, about once an hour, and starts again by itself when the cover is opened',
  'Label printer prints the old logo',
]

/** Mara assigns an artifact to Tom and mentions them in a comment. */
async function fillOrchard(api: TestClient): Promise<void> {
  await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: 'Harvest begins on Monday.' } })
  for (const [index, title] of BUG_TITLES.entries()) {
    const values = [
      { field_id: BUG.summary, value: title },
      { field_id: BUG.status, bind_value_ids: [index === 3 ? BUG_STATUS.fixed : BUG_STATUS.open] },
      { field_id: BUG.assigned_to, bind_value_ids: [TOM.id] },
    ]
    const made = await api.post('/artifacts', { as: MARA, body: { tracker: { id: BUGS }, values } })
    if (made.status !== 201) throw new Error(made.text)
    const comment = { body: '@tom, can you look at this before the harvest?', format: 'commonmark' }
    if (index < 2) await api.put(`/artifacts/${made.json.id}`, { as: MARA, body: { values: [], comment } })
  }
}

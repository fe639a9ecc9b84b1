import { workOff } from '../../server/test/run-jobs.ts'
import type { Client } from '../../server/test/client.ts'
import { startWorld } from '../../server/test/harness.ts'
import { MARA, TOM } from '../../server/test/people.ts'
import { leaveTraces } from './administered.ts'
import { makeGarden } from './garden.ts'
import { BUG, BUG_STATUS, BUGS, ORCHARD } from '../../server/test/places.ts'
import { makeCrates } from './crates.ts'
import { makeDeliveries } from './deliveries.ts'
import { plantHarvest } from './harvest.ts'
import { readWebUi, WEB_UI } from '../../server/src/platform/http/web-ui.ts'

/** A server with the pages as they are built, and all that any of them shows. */
export async function startPages() {
  const world = await startFewPages()
  const harvest = await plantHarvest(world.api)
  await makeGarden(world)
  await leaveTraces(world)
  await workOff(world.context)
  return { ...world, harvest }
}

/** The same without what takes long to make. */
export async function startFewPages() {
  const webUi = await readWebUi(WEB_UI)
  if (!webUi) throw new Error('The pages are not built: npm run build.')
  const world = await startWorld({ seedOnce: true, webUi, environment: { WAYPOST_PUBLIC_URL: 'http://127.0.0.1' } })
  // What the database dates by its own clock is then not in the future.
  world.clock.set(new Date())
  await fillOrchard(world.api)
  await makeKeys(world.api)
  const deliveries = await makeDeliveries(world.api)
  const crates = await makeCrates(world.api)
  await workOff(world.context)
  return { ...world, deliveries, crates }
}

/** Tom has some keys. */
async function makeKeys(api: Client): Promise<void> {
  const keys = [
    { description: 'nightly import', scopes: ['write:rest'] },
    { description: 'wall display in the packing hall', scopes: ['read:rest'], expiration_date: inDays(4) },
    { description: 'build server', scopes: ['write:rest', 'write:svn'], expiration_date: inDays(200) },
  ]
  for (const body of keys) {
    const { json } = await api.post('/access_keys', { as: TOM, body })
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

/** Mara gives Tom something to do, and speaks to him. */
async function fillOrchard(api: Client): Promise<void> {
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

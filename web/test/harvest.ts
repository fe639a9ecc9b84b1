import type { TestClient } from '../../server/test/harness/client.ts'
import { writeInBulk } from '../../server/test/fixtures/bulk.ts'
import { MARA, TOM, UMA } from '../../server/test/fixtures/people.ts'
import { ORCHARD } from '../../server/test/fixtures/seed-ids.ts'

const STATES = [
  { key: 'open', label: 'Open', color: 'fiesta-red' },
  { key: 'picking', label: 'Picking', color: 'clockwork-orange' },
  { key: 'done', label: 'Done', color: 'neon-green' },
]
const EVERYBODY = { read: ['@anonymous'], submit: ['@registered'], update: ['@members'] }

const DEFINITION = {
  format: 'waypost-tracker/1',
  label: 'Harvest',
  item_name: 'row',
  description: 'Rows of trees, and who picks them.',
  color_name: 'army-green',
  elements: [
    { name: 'name', type: 'string', label: 'Row of trees', required: true, permissions: EVERYBODY },
    { name: 'state', type: 'sb', label: 'State', bind: { type: 'static', values: STATES, default: ['open'] } },
    { name: 'picker', type: 'msb', label: 'Picker', bind: { type: 'users', sources: ['@members'] } },
    { name: 'crates', type: 'int', label: 'Crates' },
    { name: 'ripe', type: 'date', label: 'Ripe on' },
    { name: 'last_update', type: 'lud', label: 'Last update' },
  ],
  semantics: { title: 'name', status: { field: 'state', open: ['open', 'picking'] }, contributor: 'picker' },
  workflow: {
    field: 'state',
    used: true,
    mode: 'simple',
    states: [
      { to: 'open', from: ['@new', 'picking', 'done'] },
      { to: 'picking', from: ['open'] },
      { to: 'done', from: ['picking', 'open'], conditions: { not_empty: ['crates'] } },
    ],
  },
}

const SORTS = ['Boskoop', 'Elstar', 'Gravenstein', 'Jonagold', 'Cox Orange', 'Topaz']
const ROWS = 300

/** Creates a tracker with more rows than fit on a screen, a workflow, and people. */
export async function plantHarvest(api: TestClient): Promise<number> {
  const { status, json, text } = await api.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body: DEFINITION })
  if (status !== 201) throw new Error(text)
  const lines = Array.from({ length: ROWS }, (_, index) => ({
    op: 'create',
    values_by_field: {
      name: { value: `${SORTS[index % SORTS.length]}, row ${index + 1}` },
      ...(index % 3 !== 0 && { crates: { value: (index * 7) % 40 } }),
      ...(index % 4 === 0 && { picker: { value: [TOM.login, ...(index % 8 === 0 ? [UMA.login] : [])] } }),
      ripe: { value: `2026-09-${String((index % 28) + 1).padStart(2, '0')}` },
    },
  }))
  const { done } = await writeInBulk(api, json.id, lines, { as: MARA, query: '?notify=false' })
  if (done.succeeded !== ROWS) throw new Error(JSON.stringify(done))
  return json.id
}

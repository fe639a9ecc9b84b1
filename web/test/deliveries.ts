import sharp from 'sharp'
import type { TestClient } from '../../server/test/harness/client.ts'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../server/test/fixtures/every-field.ts'
import { MARA, TOM } from '../../server/test/fixtures/people.ts'

const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const field = (name: string, type: string, label: string, more: object = {}) => ({ name, type, label, ...more })

/** A tracker with fieldsets, columns, a workflow, and a field of almost every type. */
const DELIVERIES = {
  format: 'waypost-tracker/1',
  label: 'Deliveries',
  item_name: 'delivery',
  permissions: { full: ['@anonymous'] },
  elements: [
    {
      ...field('main', 'fieldset', 'Delivery'),
      content: [
        field('summary', 'string', 'Summary', { required: true, description: 'What it is, in one line.' }),
        field('details', 'text', 'Details'),
        {
          ...field('left', 'column', 'Left'),
          content: [
            field('status', 'sb', 'Status', { bind: { ...list('Open', 'Working', 'Closed'), default: ['open'] } }),
            field('severity', 'rb', 'Severity', { bind: list('Low', 'High') }),
            field('places', 'cb', 'Places', { bind: list('Barn', 'Yard', 'Dock') }),
            field('assigned_to', 'msb', 'Assigned to', { bind: { type: 'users', sources: ['@members'] } }),
          ],
        },
        {
          ...field('right', 'column', 'Right'),
          content: [
            field('points', 'int', 'Points', { default: 3 }),
            field('effort', 'float', 'Effort in hours'),
            field('due', 'date', 'Due'),
            field('started', 'date', 'Started', { properties: { display_time: true } }),
            field('tags', 'tbl', 'Tags', { bind: list('fragile', 'cold') }),
          ],
        },
      ],
    },
    {
      ...field('around', 'fieldset', 'What goes with it'),
      content: [
        field('advice', 'staticrichtext', 'Advice', {
          properties: { static_value: '<p>Attach the delivery note.</p>' },
        }),
        field('files', 'file', 'Papers'),
        field('links', 'art_link', 'Links', { properties: { can_edit_reverse_links: true } }),
        field('seen_by', 'perm', 'Restricted to'),
        field('references', 'cross', 'References'),
      ],
    },
  ],
  semantics: {
    title: 'summary',
    description: 'details',
    contributor: 'assigned_to',
    status: { field: 'status', open: ['open', 'working'] },
  },
  workflow: {
    field: 'status',
    used: true,
    mode: 'simple',
    states: [
      { to: 'open', from: ['@new', 'working'] },
      { to: 'working', from: ['open'] },
      { to: 'closed', from: ['working'], conditions: { comment: true } },
    ],
  },
}

export interface Deliveries {
  readonly tracker: MadeTracker
  /** The artifact with a value in every field. */
  readonly id: number
}

/** Creates a delivery with a parent, children, attachments and a history. */
export async function makeDeliveries(api: TestClient): Promise<Deliveries> {
  const tracker = await makeTestTracker(api, DELIVERIES)
  const id = await makeTestArtifact(api, tracker, {
    summary: 'Forty crates of early apples for the market hall',
    details: 'Pick up **before six**, see art #1.\n\n- ramp B\n- ask for Olga',
    status: 'Open',
    severity: 'High',
    places: ['Barn', 'Dock'],
    assigned_to: ['tom'],
    points: 5,
    due: '2026-11-30',
    tags: ['fragile', 'before six'],
  })
  const harvest = await makeTestArtifact(api, tracker, { summary: 'Early harvest', status: 'Open' })
  const crates = await makeTestArtifact(api, tracker, { summary: 'Wash the crates', status: 'Open' })
  const papers = [
    await attach(api, tracker, 'ramp.png', await picture()),
    await attach(api, tracker, 'note.txt', 'Forty.'),
  ]
  const all_links = [
    { id: harvest, type: '_is_child', direction: 'reverse' },
    { id: crates, type: '_is_child', direction: 'forward' },
  ]
  const steps = [
    {
      as: MARA,
      body: {
        values: [
          { field_id: tracker.field('files'), value: papers },
          { field_id: tracker.field('links'), all_links },
        ],
      },
    },
    {
      as: TOM,
      body: {
        values: [],
        comment: { body: 'The ramp is **free** from five on.\n\n> ask for Olga\n\nShe knows.', format: 'commonmark' },
      },
    },
    {
      as: MARA,
      body: {
        values_by_field: {
          details: 'Pick up **before seven**, see art #1.\n\n- ramp B\n- ask for Olga or Gus',
          points: 8,
          status: 'Working',
          places: ['Dock', 'Yard'],
        },
      },
    },
  ]
  for (const { as, body } of steps) {
    const { status, text } = await api.put(`/artifacts/${id}`, { as, body })
    if (status !== 200) throw new Error(text)
  }
  return { tracker, id }
}

function picture(): Promise<Buffer> {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><rect width="320" height="240" fill="#b9d8c9"/><path d="M0 200 L320 90 V240 H0Z" fill="#0b6355"/></svg>'
  return sharp(Buffer.from(svg)).png().toBuffer()
}

async function attach(api: TestClient, tracker: MadeTracker, name: string, content: Buffer | string): Promise<number> {
  const mimetype = name.endsWith('.png') ? 'image/png' : 'text/plain'
  const body = { name, mimetype, content: Buffer.from(content).toString('base64') }
  const { status, text, json } = await api.post('/artifact_temporary_files', { as: MARA, body })
  if (status !== 201) throw new Error(`${tracker.id}: ${text}`)
  return json.id
}

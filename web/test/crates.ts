import type { TestClient } from '../../server/test/harness/client.ts'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../server/test/fixtures/every-field.ts'

const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const field = (name: string, type: string, label: string, more: object = {}) => ({ name, type, label, ...more })

/** A tracker for a board: its workflow has steps for certain groups, and one that requires a comment. */
const CRATES = {
  format: 'waypost-tracker/1',
  label: 'Crates',
  item_name: 'crate',
  permissions: { full: ['@anonymous'] },
  elements: [
    {
      ...field('main', 'fieldset', 'Crate'),
      content: [
        field('summary', 'string', 'Summary', { required: true }),
        field('status', 'sb', 'Status', { bind: list('Empty', 'Packing', 'Checked', 'Shipped') }),
        field('size', 'sb', 'Size', { bind: list('Small', 'Large') }),
        field('assigned_to', 'msb', 'Assigned to', { bind: { type: 'users', sources: ['@members'] } }),
        field('due', 'date', 'Due'),
        field('weight', 'int', 'Weight'),
      ],
    },
  ],
  semantics: {
    title: 'summary',
    contributor: 'assigned_to',
    status: { field: 'status', open: ['empty', 'packing', 'checked'] },
  },
  workflow: {
    field: 'status',
    used: true,
    mode: 'simple',
    states: [
      { to: 'empty', from: ['@new', 'packing'] },
      { to: 'packing', from: ['@new', 'empty', 'checked'] },
      { to: 'checked', from: ['packing'], conditions: { groups: ['leads'] } },
      { to: 'shipped', from: ['packing', 'checked'], conditions: { comment: true } },
    ],
  },
}

const CONTENTS = [
  ['Cox for the market hall', 'Empty', 'Large', ['tom']],
  ['Boskoop, unsorted', 'Empty', 'Large', ['uma']],
  ['Quinces for the jam kitchen on the other side of the river', 'Packing', 'Small', ['tom']],
  ['Pears, Williams', 'Packing', 'Large', ['tom']],
  ['Plums', 'Packing', 'Small', ['uma']],
  ['Walnuts', 'Empty', 'Small', []],
] as const

/** The ids of its crates by their content. */
export interface Crates {
  readonly tracker: MadeTracker
  readonly ids: ReadonlyMap<string, number>
}

export async function makeCrates(api: TestClient): Promise<Crates> {
  const tracker = await makeTestTracker(api, CRATES)
  const ids = new Map<string, number>()
  for (const [summary, status, size, assigned_to] of CONTENTS) {
    const values = { summary, status, size, assigned_to, due: '2026-12-01', weight: 12 }
    ids.set(summary, await makeTestArtifact(api, tracker, values))
  }
  return { tracker, ids }
}

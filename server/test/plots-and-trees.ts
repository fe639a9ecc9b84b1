import { toId } from '../src/platform/database/ids.ts'
import { ApiError } from '../src/platform/words/errors.ts'
import type { TrackerDefinition } from '../src/trackers/definition/schemas.ts'
import { bindQuery } from '../src/trackers/search/bind-query.ts'
import type { QueryScope } from '../src/trackers/search/bind-scope.ts'
import { readQuery } from '../src/trackers/search/read-query.ts'
import type { TrackerId } from '../src/trackers/tracker.ts'
import { scopeOf, seenBy, trackerFrom } from './query-scope.ts'

// Two trackers without a database, and what queries of them mean.

const ADMINS = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
const status = (...labels: string[]) => ({
  name: 'status',
  type: 'sb',
  label: 'Status',
  bind: { type: 'static' as const, values: labels.map((label) => ({ key: label.toLowerCase(), label })) },
})

const PLOTS: TrackerDefinition = {
  label: 'Plots',
  item_name: 'plot',
  elements: [
    {
      name: 'main', // 8000
      type: 'fieldset',
      label: 'Main',
      content: [
        { name: 'summary', type: 'string', label: 'Summary' }, // 8001
        { name: 'details', type: 'text', label: 'Details' }, // 8002
        status('Open', 'Fixed', 'Closed'), // 8003, values 8100, 8101, 8102
        { name: 'team', type: 'msb', label: 'Team', bind: { type: 'users', sources: ['@members'] } }, // 8004
        { name: 'points', type: 'int', label: 'Points' }, // 8005
        { name: 'due', type: 'date', label: 'Due' }, // 8006
        { name: 'budget', type: 'int', label: 'Budget', permissions: ADMINS }, // 8007
        { name: 'sum', type: 'computed', label: 'Sum' }, // 8008
        { name: 'number', type: 'aid', label: 'Number' }, // 8009
        { name: 'made', type: 'subon', label: 'Made' }, // 8010
        { name: 'links', type: 'art_link', label: 'Links' }, // 8011
      ],
    },
  ],
  unused_elements: [
    { name: 'old', type: 'string', label: 'Old' }, // 8012
    { name: 'older', type: 'string', label: 'Older', permissions: ADMINS },
  ],
  semantics: {
    title: 'summary',
    description: 'details',
    status: { field: 'status', open: ['open'] },
    contributor: 'team',
  },
}
const TREES: TrackerDefinition = {
  label: 'Trees',
  item_name: 'tree',
  elements: [
    { name: 'name', type: 'string', label: 'Name' }, // 8300
    status('Open', 'Ripe'), // 8301, values 8400, 8401
    { name: 'due', type: 'date', label: 'Due', properties: { display_time: true } }, // 8302
    { name: 'points', type: 'float', label: 'Points' }, // 8303
    { name: 'team', type: 'string', label: 'Team' }, // 8304
  ],
  semantics: { title: 'name' },
}

export const plots = trackerFrom(PLOTS, toId<TrackerId>(7901), 8000)
export const trees = trackerFrom(TREES, toId<TrackerId>(7902), 8300)
export const plot = seenBy(plots)
export const tree = seenBy(trees)
export const ONE = scopeOf([plot], {
  sightsOf: async (name) => [plot, tree].filter((each) => !name || each.tracker.item_name === name),
})
export const BOTH = scopeOf([plot, tree], { isAcross: true })

export const bind = async (text: string, scope: QueryScope = ONE) => bindQuery(readQuery(text, 'expert_query'), scope)
export const conditionOf = async (text: string, scope?: QueryScope) => (await bind(text, scope)).condition

export async function refusal(text: string, scope?: QueryScope): Promise<ApiError> {
  try {
    await bind(text, scope)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error(`${text} was accepted.`)
}

export const problemsOf = async (text: string, scope?: QueryScope) => (await refusal(text, scope)).details?.all

export const holds = (contains: string, id: number) => ({ kind: 'text', field: { id }, contains })
export const chosen = (field: number, ...ids: number[]) => ({ kind: 'chosen', field, ids })
export const NOTHING = { kind: 'any', of: [] }
export const EVERYTHING = { kind: 'all', of: [] }

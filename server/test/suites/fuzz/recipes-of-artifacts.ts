import { csvHead, csvRow } from '../../../src/platform/wire/csv.ts'
import { ADA, GUS, MARA, TOM, UMA } from '../../fixtures/people.ts'
import {
  BUG,
  BUG_STATUS,
  BUG_REPORT,
  BUGS,
  GATED,
  GATES,
  LEDGER,
  LEDGER_SECRET,
  OPEN_BUG,
  OPEN_GATE,
} from '../../fixtures/seed-ids.ts'
import type { RepeatableRandom } from './random.ts'
import { attachWish } from './recipes-of-files.ts'
import { anyone, type Recipe, some, type Wish } from './recipe.ts'

const insiders = [UMA, MARA, GUS, ADA] as const
const members = [TOM, MARA, UMA, ADA] as const

/** An artifact, and a person who may read it. */
function artifact(random: RepeatableRandom): Wish {
  const few = random.chance(0.2)
  if (few) return { as: random.pick(insiders), params: { id: random.pick([LEDGER_SECRET, GATED]) } }
  return { as: anyone(random), params: { id: random.pick([OPEN_BUG, OPEN_GATE]) } }
}

const TITLES: readonly [string, ...string[]] = [
  'Pump leaks',
  '<b>Pump</b> & "hose"',
  '=1+1',
  'Ünïcødé 船 🌳',
  'see art #14001 and bug #2',
  'x'.repeat(255),
]

function byName(random: RepeatableRandom): Record<string, unknown> {
  const more = {
    details: {
      value: random.pick(['', '<p>art #1</p><script>x</script>', '**a** | b']),
      format: random.pick(['text', 'html', 'commonmark']),
    },
    points: { value: random.pick([0, -1, 2 ** 53 - 1, '7', '']) },
    due: { value: random.pick(['2026-02-28', '2024-02-29', '']) },
    status: { value: 'Open' },
    team: { value: 'leads' },
  }
  return { summary: { value: random.pick(TITLES) }, ...some(random, more, 0.4) }
}

function byId(random: RepeatableRandom): object[] {
  const more = {
    details: { field_id: BUG.details, value: random.pick(TITLES), format: 'text' },
    status: { field_id: BUG.status, bind_value_ids: [random.pick([BUG_STATUS.open, BUG_STATUS.fixed])] },
    people: { field_id: BUG.assigned_to, bind_value_ids: [random.pick([TOM.id, MARA.id])] },
    points: { field_id: BUG.points, value: random.pick([3, 0, '12']) },
  }
  const chosen = some(random, more, 0.4)
  return [{ field_id: BUG.summary, value: random.pick(TITLES) }, ...Object.values(chosen).filter(isObject)]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function values(random: RepeatableRandom): object {
  return random.chance(0.5) ? { values_by_field: byName(random) } : { values: byId(random) }
}

/** Rows for the bulk write. */
function table(random: RepeatableRandom): string {
  const separators = ['comma', 'semicolon', 'tab'] as const
  const options = { separator: random.pick(separators), bom: random.chance(0.3) }
  const row = () => [
    random.pick(['', '', OPEN_BUG]),
    random.pick(TITLES),
    random.pick([0, -1, '']),
    random.pick(['Open', '']),
    random.pick(['', 'leads']),
  ]
  const rows = Array.from({ length: random.integer(1, 8) }, () => csvRow(row(), options))
  return csvHead(['id', 'summary', 'points', 'status', 'team'], options) + rows.join('')
}

const comment = (random: RepeatableRandom) =>
  random.chance(0.3) && {
    comment: {
      body: random.pick(['art #14001', '<p>yes</p>', '- a\n- b']),
      format: random.pick(['text', 'html', 'commonmark']),
    },
  }

/** Reading, creating and changing artifacts. */
export const RECIPES_OF_ARTIFACTS: Readonly<Record<string, Recipe>> = {
  followArtifacts(_known, random) {
    const query = random.pick<Record<string, string>>([
      {},
      { order: 'desc', limit: String(random.integer(1, 1000)) },
      { fields: 'id,title,values' },
      { expert_query: 'IS LINKED TO ORDER BY @id DESC' },
      { expert_query: '@submitted_on < NOW() - 1d' },
      { query: '{"summary":"a"}' },
    ])
    const headers = { accept: 'text/event-stream' }
    if (random.chance(0.2)) return { as: random.pick(insiders), params: { id: LEDGER }, headers }
    return { as: anyone(random), params: { id: random.pick([BUGS, GATES]) }, query, headers }
  },
  listArtifacts(_known, random) {
    const query = random.pick<Record<string, string>>([
      {},
      { values: 'all' },
      { order: 'desc' },
      { fields: 'id,title' },
    ])
    const accept = random.chance(0.2) && { headers: { accept: random.pick(['text/csv', 'application/x-ndjson']) } }
    if (random.chance(0.2)) return { as: random.pick(insiders), params: { id: LEDGER }, query, ...accept }
    return { as: anyone(random), params: { id: random.pick([BUGS, GATES]) }, query, ...accept }
  },
  countGroups(_known, random) {
    const keys = ['@submitted_by', '@last_update_by', 'is_open', '@submitted_on:week', '@last_update_date:day'] as const
    const ofBugs = ['status', 'due:month', 'team', 'assigned_to'] as const
    const id = random.pick([BUGS, GATES])
    const by = [random.pick(keys), ...(id === BUGS && random.chance(0.5) ? [random.pick(ofBugs)] : [])]
    const query = {
      by: by.join(),
      ...(id === BUGS && random.chance(0.3) && { sum: 'points' }),
      ...(random.chance(0.3) && { order: 'count' }),
      ...(random.chance(0.3) && { empty: 'true' }),
      ...(id === BUGS && random.chance(0.2) && { report: String(BUG_REPORT) }),
      ...(random.chance(0.3) && { over: random.pick(['week', 'month']), from: '2026-01-01' }),
    }
    return { as: anyone(random), params: { id }, query }
  },
  countChanges(_known, random) {
    const query = {
      ...(random.chance(0.5) && { steps: String(random.integer(1, 400)) }),
      ...(random.chance(0.3) && { from: random.pick(['2026-01-01', '2026-02-01T08:00:00Z']) }),
      ...(random.chance(0.3) && { to: random.pick(['2026-06-01', '2027-01-01T08:00:00Z']) }),
    }
    return { as: anyone(random), params: { id: random.pick([BUGS, GATES]) }, query }
  },
  writeArtifacts(_known, random) {
    const line = () =>
      random.chance(0.6)
        ? { op: 'create', ...values(random), ...comment(random) }
        : { op: 'update', id: OPEN_BUG, ...values(random) }
    const query: Record<string, string> = random.chance(0.2) ? { stop_on_error: 'true' } : {}
    return {
      as: random.pick(members),
      params: { id: BUGS },
      query,
      headers: { accept: 'application/x-ndjson' },
      body: random.chance(0.3) ? table(random) : Array.from({ length: random.integer(1, 8) }, line),
    }
  },
  createArtifact(_known, random) {
    const from = random.chance(0.1) ? { from_artifact: { id: OPEN_BUG } } : values(random)
    return { as: random.pick(members), body: { tracker: { id: BUGS }, ...from, ...comment(random) } }
  },
  getArtifact(_known, random) {
    const query = random.pick<Record<string, string>>([
      {},
      { values_format: 'by_field', by_field_types: 'all' },
      { values_format: 'all', tracker_structure_format: 'complete' },
      { tracker_structure_format: 'state' },
      { version: '1' },
      { at: '2026-06-01T00:00:00Z' },
      { fields: 'id,title,values' },
    ])
    return { ...artifact(random), query }
  },
  updateArtifact(_known, random) {
    if (random.chance(0.2)) return attachWish(random)
    const body = { ...values(random), ...comment(random) }
    return { as: random.pick(members), params: { id: OPEN_BUG }, body }
  },
}

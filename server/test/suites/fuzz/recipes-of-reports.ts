import { ADA, MARA, OLGA, TOM, UMA } from '../../fixtures/people.ts'
import { BUG_REPORT, BUG_TABLE, BUGS, ORCHARD, TOMS_REPORT } from '../../fixtures/seed-ids.ts'
import type { RepeatableRandom } from './random.ts'
import { anyone, type Recipe, some, type Wish } from './recipe.ts'

const active = [TOM, MARA, UMA, OLGA, ADA] as const
const administrators = [UMA, MARA, ADA] as const

/** A report, and a person who may read it. */
function report(random: RepeatableRandom): Wish {
  return random.chance(0.2)
    ? { as: TOM, params: { id: TOMS_REPORT } }
    : { as: anyone(random), params: { id: BUG_REPORT } }
}

function document(random: RepeatableRandom): object {
  const search = random.pick<object>([
    {},
    { expert_query: 'status = "Open" AND points > 3 ORDER BY summary DESC' },
    {
      criteria: [
        { field: 'status', value: ['open'] },
        { field: 'points', value: '1-5' },
      ],
    },
    { criteria: [{ field: 'due', operator: 'between', value: ['2026-01-01', '2026-12-31'] }] },
  ])
  const renderers = [
    {
      type: 'table',
      label: random.pick(['Table', 'Täbelle & <b>']),
      columns: ['summary', 'status'],
      ...some(random, { page_size: 25, sort: [{ field: 'points', direction: 'desc' }] }),
    },
  ]
  return {
    label: random.pick(['Mine', 'Ünïcødé 船 🌳', '<i>Late</i>']),
    ...search,
    ...some(random, { description: 'What I look at', renderers }, 0.5),
  }
}

function widgets(random: RepeatableRandom): object {
  const any = [
    {
      type: 'note',
      text: random.pick(['See bug #14001', '# <b>Harvest</b>', '船 🌳']),
      ...some(random, { title: ' Notes ' }),
    },
    { type: 'count', report_id: BUG_REPORT },
    { type: 'report', report_id: BUG_REPORT, title: 'Open ones' },
    { type: 'chart', report_id: BUG_REPORT, ...some(random, { by: 'status', span: 'quarter' }) },
  ]
  return { widgets: any.filter(() => random.chance(0.5)) }
}

/** Reading and saving reports, and pinning them. */
export const RECIPES_OF_REPORTS: Readonly<Record<string, Recipe>> = {
  listReports: (_known, random) => ({ as: anyone(random), params: { id: BUGS } }),
  createReport(_known, random) {
    if (random.chance(0.7)) return { as: random.pick(active), params: { id: BUGS }, body: document(random) }
    const body = { ...document(random), public: true, ...some(random, { default: true }) }
    return { as: random.pick(administrators), params: { id: BUGS }, body }
  },
  getReport: (_known, random) => ({ ...report(random), query: random.pick([{}, { representation: 'full' }]) }),
  updateReport: (_known, random) =>
    random.chance(0.5)
      ? { as: TOM, params: { id: TOMS_REPORT }, body: document(random) }
      : {
          as: random.pick(administrators),
          params: { id: BUG_REPORT },
          body: {
            ...document(random),
            public: true,
            renderers: [{ type: 'table', label: 'Table', columns: ['summary'] }],
          },
        },
  deleteReport: (_known, random) => ({ as: random.pick(administrators), params: { id: BUG_REPORT }, dryRun: true }),
  getProjectDashboard: (_known, random) => ({ as: anyone(random), params: { id: ORCHARD } }),
  setProjectDashboard: (_known, random) => ({
    as: random.pick([MARA, ADA]),
    params: { id: ORCHARD },
    body: widgets(random),
  }),
  getOwnDashboard: (_known, random) => ({ as: random.pick(active) }),
  setOwnDashboard: (_known, random) => ({ as: random.pick(active), body: widgets(random) }),
  listReportArtifacts(_known, random) {
    const query = random.pick<Record<string, string>>([
      {},
      { values: 'all' },
      { values: 'all', output_format: 'flat' },
      { values: 'all', output_format: 'flat_with_semicolon_string_array', with_unsaved_changes: 'true' },
      { fields: 'id,title' },
    ])
    if (random.chance(0.2))
      return {
        as: anyone(random),
        params: { id: BUG_REPORT },
        query: { values: 'from_table_renderer', table_renderer_id: String(BUG_TABLE) },
      }
    const accept = random.chance(0.2) && { headers: { accept: random.pick(['text/csv', 'application/x-ndjson']) } }
    return { ...report(random), query, ...accept }
  },
}

import { ADA, MARA, type TestPerson, UMA } from '../../fixtures/people.ts'
import { BUG, BUG_BEGINS, BUG_STATUS, BUGS, LEADS, LEDGER, ORCHARD } from '../../fixtures/seed-ids.ts'
import type { RepeatableRandom } from './random.ts'
import { anyone, type Recipe, some } from './recipe.ts'

const administrator = (random: RepeatableRandom): TestPerson => random.pick([UMA, MARA, ADA])
const ofTransition: Recipe = (_known, random) => ({ as: administrator(random), params: { id: BUG_BEGINS } })

/** Reading trackers, and administering their forms and workflows. */
export const RECIPES_OF_TRACKER_FORMS: Readonly<Record<string, Recipe>> = {
  listTrackers(_known, random) {
    const query = random.pick<Record<string, string>>([
      {},
      { representation: 'minimal' },
      { representation: 'minimal', 'with_creation_semantic_check[]': 'title' },
      { query: '{"is_tracker_admin":true}' },
      { fields: 'label,item_name' },
    ])
    return { as: anyone(random), params: { id: ORCHARD }, query }
  },
  getTracker: (_known, random) =>
    random.chance(0.2)
      ? { as: random.pick([UMA, MARA, ADA]), params: { id: LEDGER } }
      : { as: anyone(random), params: { id: BUGS } },
  updateTrackerWorkflow(_known, random) {
    const workflow = random.pick<object>([
      { is_legacy: false },
      { is_advanced: true },
      { is_advanced: false },
      { set_transitions_rules: { is_used: false } },
    ])
    const base = { as: administrator(random), params: { id: BUGS } }
    return random.chance(0.5)
      ? { ...base, query: { query: JSON.stringify({ workflow }) } }
      : { ...base, body: { workflow } }
  },
  updateTrackerField(_known, random) {
    const field = random.pick([BUG.points, BUG.due, BUG.details, BUG.status])
    const body = some(random, { label: 'Ärger & <Mühsal>', description: '<p>How much</p>' }, 0.7)
    if (random.chance(0.2))
      return { as: administrator(random), params: { id: field }, body: { move: { parent_id: BUG.main } } }
    if (random.chance(0.2)) {
      const limits = [{ value_id: BUG_STATUS.open, limit: random.pick([null, 1, 4]) }]
      return { as: administrator(random), params: { id: BUG.status }, body: { limits } }
    }
    return { as: administrator(random), params: { id: field }, body }
  },
  deleteTrackerField: (_known, random) => ({ as: administrator(random), params: { id: BUG.old }, dryRun: true }),
  createTransition: (_known, random) => ({
    as: administrator(random),
    body: { tracker_id: BUGS, from_id: random.pick([0, BUG_STATUS.open]), to_id: BUG_STATUS.fixed },
    dryRun: true,
  }),
  getTransition: ofTransition,
  updateTransition: (_known, random) => ({
    as: administrator(random),
    params: { id: BUG_BEGINS },
    body: {
      authorized_user_group_ids: [random.pick(['2', `${ORCHARD}_3`, String(LEADS)])],
      ...some(random, { not_empty_field_ids: [BUG.points], is_comment_required: false }),
    },
  }),
  deleteTransition: (_known, random) => ({ as: administrator(random), params: { id: BUG_BEGINS }, dryRun: true }),
  getTransitionActions: ofTransition,
  setTransitionActions: (_known, random) => ({
    as: administrator(random),
    params: { id: BUG_BEGINS },
    body: {
      post_actions: random.pick<object[]>([
        [],
        [{ type: 'set_field_value', field_type: 'date', field_id: BUG.due, value: 'current' }],
        [{ type: 'run_job', job_url: 'https://ci.waypost.example/job/release?a=1&b=2' }],
      ]),
    },
  }),
}

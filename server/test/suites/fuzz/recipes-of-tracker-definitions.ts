import { TEMPLATE_NAMES } from '../../../src/trackers/templates/tracker-templates.ts'
import { ADA, MARA, type TestPerson, UMA } from '../../fixtures/people.ts'
import { BUGS, LEDGER, LOST_BUGS, ORCHARD } from '../../fixtures/seed-ids.ts'
import { BUGS_DEFINITION } from '../../fixtures/seed-trackers.ts'
import { wholeDefinition } from '../../fixtures/whole-definition.ts'
import type { Knowledge } from './knowledge.ts'
import type { RepeatableRandom } from './random.ts'
import { anyone, type Recipe, some } from './recipe.ts'

const administrator = (random: RepeatableRandom): TestPerson => random.pick([MARA, MARA, ADA])
const SEEDED = 10_000

/** A tracker that was created since the seed. */
function madeTracker(known: Knowledge, random: RepeatableRandom): number | undefined {
  return random.pickAny((known.ids.get('trackers') ?? []).map(Number).filter((id) => id > SEEDED && id < 100_000))
}

/** A definition with a random selection of features. */
function definition(known: Knowledge, random: RepeatableRandom): object {
  const { label, elements, ...rest } = wholeDefinition()
  const { semantics: _, workflow: __, rules: ___, ...free } = rest
  const whole = random.chance(0.4) ? { ...rest, elements } : some(random, { ...free, elements }, 0.6)
  return { ...whole, label: random.pick([label ?? '', 'Ŝipoj & <Ĉevaloj>', '船']), item_name: known.fresh('fuzz_') }
}

function newTracker(known: Knowledge, random: RepeatableRandom) {
  const copy = { copy_from: { id: random.pick([BUGS, LEDGER]) }, label: 'Copy', item_name: known.fresh('copy_') }
  const template = {
    template: random.pickAny(TEMPLATE_NAMES),
    label: 'From a template',
    item_name: known.fresh('made_'),
  }
  return {
    as: administrator(random),
    params: { id: ORCHARD },
    body: random.chance(0.2) ? random.pick<object>([copy, template]) : definition(known, random),
  }
}

export const RECIPES_OF_TRACKER_DEFINITIONS: Readonly<Record<string, Recipe>> = {
  listTrackerTemplates: (_known, random) => ({ as: anyone(random) }),
  createTracker: newTracker,
  planTracker: newTracker,
  getTrackerDefinition: (_known, random) => ({ as: random.pick([MARA, UMA, ADA]), params: { id: BUGS } }),
  putTrackerDefinition(known, random) {
    const made = random.chance(0.5) ? madeTracker(known, random) : undefined
    const query: Record<string, string> = random.chance(0.2) ? { prune: 'true' } : {}
    if (made !== undefined) return { as: MARA, params: { id: made }, query, body: definition(known, random) }
    const label = random.pick(['Bugs', 'Käfer', 'Bugs & <more>'])
    return { as: random.pick([MARA, ADA]), params: { id: BUGS }, query, body: { ...BUGS_DEFINITION, label } }
  },
  deleteTracker(known, random) {
    const made = madeTracker(known, random)
    return { as: MARA, params: { id: made ?? BUGS }, dryRun: made === undefined || random.chance(0.5) }
  },
  restoreTracker: (known, random) => ({
    as: administrator(random),
    params: { id: LOST_BUGS },
    ...(random.chance(0.5) && { body: { item_name: known.fresh('found_') } }),
    dryRun: true,
  }),
}

import { ADA, MARA, UMA } from '../../fixtures/people.ts'
import { BUGS, HOOK, ORCHARD } from '../../fixtures/seed-ids.ts'
import type { RepeatableRandom } from './random.ts'
import { type Recipe, some } from './recipe.ts'

const administrators = [UMA, MARA, ADA] as const
const leaders = [MARA, ADA] as const

/** No delivery happens: the fuzzed server has no worker. */
function hook(random: RepeatableRandom): object {
  const choices = {
    events: random.pick([['artifact.*'], ['artifact.created', 'comment.added'], ['svn.commit', 'rights.changed']]),
    format: random.pick(['form', 'json']),
    payload: random.pick(['original', 'event']),
    ordered: random.chance(0.5),
    active: random.chance(0.5),
  }
  return {
    url: random.pick(['https://93.184.215.14/in', 'http://93.184.215.14:8080/?a=ü&b=%00']),
    ...some(random, choices),
  }
}

// Hooks of Ledger, whose definition is never replaced: that would change its hooks.
const ofHook = (random: RepeatableRandom) => ({ as: random.pick(leaders), params: { id: HOOK.ledger } })
const ofDelivery = (random: RepeatableRandom) => ({
  as: random.pick(leaders),
  params: { id: HOOK.ledger, delivery_id: HOOK.ledger + 1000 },
})

/** Managing webhooks and reading their logs. The limit is twenty, so new ones are mostly dry runs. */
export const RECIPES_OF_WEBHOOKS: Readonly<Record<string, Recipe>> = {
  listTrackerWebhooks: (_known, random) => ({ as: random.pick(administrators), params: { id: BUGS } }),
  createTrackerWebhook: (_known, random) => ({
    as: random.pick(administrators),
    params: { id: BUGS },
    body: { ...hook(random), ...some(random, { secret: 'sixteen bytes or more' }) },
    dryRun: true,
  }),
  listProjectWebhooks: (_known, random) => ({ as: random.pick(leaders), params: { id: ORCHARD } }),
  createProjectWebhook: (_known, random) => ({
    as: random.pick(leaders),
    params: { id: ORCHARD },
    body: hook(random),
    dryRun: true,
  }),
  getWebhook: (_known, random) => ofHook(random),
  changeWebhook: (_known, random) => ({ ...ofHook(random), body: some(random, { ...hook(random) }, 0.6) }),
  deleteWebhook: (_known, random) => ({ ...ofHook(random), dryRun: true }),
  renewWebhookSecret: (_known, random) => ({ ...ofHook(random), body: some(random, { secret: 'x'.repeat(40) }) }),
  testWebhook: (_known, random) => ofHook(random),
  listDeliveries: (_known, random) => ({
    ...ofHook(random),
    query: random.pick<Record<string, string>>([{}, { state: 'delivered' }, { from: '2026-01-01', limit: '5' }]),
  }),
  getDelivery: (_known, random) => ofDelivery(random),
  redeliver: (_known, random) => ofDelivery(random),
  replayEvents: (known, random) => ({ ...ofHook(random), body: { after: known.places.at(-1) ?? 'fade.1.1' } }),
}

import { createSecrets } from '../../../src/platform/operation/secrets.ts'
import { formatUnsubscribeToken } from '../../../src/feed/notifications/mailing/unsubscribe-token.ts'
import { BUGS, OPEN_BUG, ORCHARD } from '../../fixtures/seed-ids.ts'
import { notificationOf } from '../../fixtures/seed-notifications.ts'
import { SECRET_KEY } from '../../harness/server-process.ts'
import type { RepeatableRandom } from './random.ts'
import { ACTIVE, anyone, type Recipe, some, type Wish } from './recipe.ts'

const LEVELS = ['all', 'status', 'mentions', 'none'] as const
const level = (random: RepeatableRandom) => ({ level: random.pick(LEVELS) })

const watch =
  (id: number, hasBody = false): Recipe =>
  (_known, random) => ({ as: random.pick(ACTIVE), params: { id }, ...(hasBody && { body: level(random) }) })

/** An own entry. Removal is a dry run, because there is no other entry. */
function own(random: RepeatableRandom): Wish & { readonly params: { readonly id: number } } {
  const as = random.pick(ACTIVE)
  return { as, params: { id: notificationOf(as, OPEN_BUG) } }
}

/** Watches, personal lists, inbox and unsubscribing. */
export const RECIPES_OF_NOTIFICATIONS: Readonly<Record<string, Recipe>> = {
  getArtifactWatch: watch(OPEN_BUG),
  getTrackerWatch: watch(BUGS),
  getProjectWatch: watch(ORCHARD),
  setArtifactWatch: watch(OPEN_BUG, true),
  setTrackerWatch: watch(BUGS, true),
  setProjectWatch: watch(ORCHARD, true),
  deleteArtifactWatch: watch(OPEN_BUG),
  deleteTrackerWatch: watch(BUGS),
  deleteProjectWatch: watch(ORCHARD),
  listWatches: (_known, random) => ({ as: random.pick(ACTIVE) }),
  listFavourites: (_known, random) => ({ as: random.pick(ACTIVE) }),
  listRecentlySeen: (_known, random) => ({ as: random.pick(ACTIVE) }),
  addArtifactFavourite: watch(OPEN_BUG),
  addTrackerFavourite: watch(BUGS),
  addProjectFavourite: watch(ORCHARD),
  removeArtifactFavourite: watch(OPEN_BUG),
  removeTrackerFavourite: watch(BUGS),
  removeProjectFavourite: watch(ORCHARD),
  recordArtifactSeen: watch(OPEN_BUG),
  recordTrackerSeen: watch(BUGS),
  recordProjectSeen: watch(ORCHARD),
  listWatchers: (_known, random) => ({ as: anyone(random), params: { id: OPEN_BUG } }),
  getNotificationSettings: (_known, random) => ({ as: random.pick(ACTIVE) }),
  updateNotificationSettings(_known, random) {
    const members = {
      default_level: random.pick(LEVELS),
      mail: random.pick(['immediate', 'hourly', 'daily', 'off']),
      digest_hour: random.pick([0, 8, 23]),
      own_changes: random.chance(0.5),
      mute_mentions: random.chance(0.5),
      short_mails: random.chance(0.5),
    }
    return { as: random.pick(ACTIVE), body: some(random, members) }
  },
  listNotifications: (_known, random) => ({
    as: random.pick(ACTIVE),
    ...(random.chance(0.5) && { query: { unread: random.pick(['true', 'false']) } }),
  }),
  listNotificationThreads: (_known, random) => ({
    as: random.pick(ACTIVE),
    query: {
      ...(random.chance(0.5) && { unread: random.pick(['true', 'false']) }),
      ...(random.chance(0.5) && { why: random.pick(['mention', 'assigned', 'watch']) }),
    },
  }),
  updateNotifications(_known, random) {
    const { as, params } = own(random)
    return { as, body: { ids: random.pick([[params.id], [params.id, 1], []]), is_read: random.chance(0.5) } }
  },
  updateNotification: (_known, random) => ({ ...own(random), body: { is_read: random.chance(0.5) } }),
  deleteNotification: (_known, random) => ({ ...own(random), dryRun: true }),
  readNotifications(_known, random) {
    const { as, params } = own(random)
    return { as, body: { until: random.pick<string | number>([params.id, String(params.id), 1]) } }
  },
  getUnsubscription: (_known, random) => ({ params: { token: token(random) } }),
  unsubscribe: (_known, random) => ({ params: { token: token(random) } }),
}

function token(random: RepeatableRandom): string {
  const { id: account } = random.pick(ACTIVE)
  const object = random.pick<Parameters<typeof formatUnsubscribeToken>[1]['object']>([
    'mails',
    { kind: 'tracker', id: BUGS },
  ])
  return formatUnsubscribeToken(createSecrets([SECRET_KEY]), { account, object })
}

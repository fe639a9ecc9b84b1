import { frozen, PROJECT_ADMIN, type Row, TRACKER_ADMIN } from './right.ts'
import { DELIVERY, PROJECT, TRACKER, WEBHOOK } from './subjects.ts'

const NEW_HOOK = { url: 'https://93.184.215.14/in' }

/** Who may do what with webhooks: those who administer what they belong to. */
export const RIGHTS_ON_WEBHOOKS: Record<string, Row> = {
  listTrackerWebhooks: { subject: TRACKER, right: TRACKER_ADMIN },
  createTrackerWebhook: { subject: TRACKER, right: TRACKER_ADMIN, body: NEW_HOOK, otherwise: frozen },
  listProjectWebhooks: { subject: PROJECT, right: PROJECT_ADMIN },
  createProjectWebhook: { subject: PROJECT, right: PROJECT_ADMIN, body: NEW_HOOK, otherwise: frozen },
  getWebhook: { subject: WEBHOOK, right: TRACKER_ADMIN },
  changeWebhook: { subject: WEBHOOK, right: TRACKER_ADMIN, body: { ordered: true }, otherwise: frozen },
  deleteWebhook: { subject: WEBHOOK, right: TRACKER_ADMIN, otherwise: frozen },
  renewWebhookSecret: { subject: WEBHOOK, right: TRACKER_ADMIN, otherwise: frozen },
  testWebhook: { subject: WEBHOOK, right: TRACKER_ADMIN, otherwise: frozen },
  listDeliveries: { subject: WEBHOOK, right: TRACKER_ADMIN },
  getDelivery: { subject: DELIVERY, right: TRACKER_ADMIN },
  redeliver: { subject: DELIVERY, right: TRACKER_ADMIN, otherwise: frozen },
  replayEvents: {
    subject: WEBHOOK,
    right: TRACKER_ADMIN,
    body: { after: 'fade.1.1' },
    otherwise(principal, state) {
      return frozen(principal, state) ?? (TRACKER_ADMIN(principal, state) ? 410 : undefined) // of another epoch
    },
    needsMore: 'a place in the feed',
  },
}

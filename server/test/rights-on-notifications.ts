import { type Row, SIGNED_IN, EVERYONE } from './right.ts'
import { ARTIFACT, NOTHING, OWN_NOTIFICATION, PROJECT, TRACKER, UNKNOWN_SECRET } from './subjects.ts'

const level = { level: 'all' }

/** The rows of the table of rights for watching, inbox and mails. */
export const RIGHTS_ON_NOTIFICATIONS: Record<string, Row> = {
  getArtifactWatch: { subject: ARTIFACT, right: SIGNED_IN },
  getTrackerWatch: { subject: TRACKER, right: SIGNED_IN },
  getProjectWatch: { subject: PROJECT, right: SIGNED_IN },
  setArtifactWatch: { subject: ARTIFACT, right: SIGNED_IN, body: level },
  setTrackerWatch: { subject: TRACKER, right: SIGNED_IN, body: level },
  setProjectWatch: { subject: PROJECT, right: SIGNED_IN, body: level },
  deleteArtifactWatch: { subject: ARTIFACT, right: SIGNED_IN },
  deleteTrackerWatch: { subject: TRACKER, right: SIGNED_IN },
  deleteProjectWatch: { subject: PROJECT, right: SIGNED_IN },
  listWatches: { subject: NOTHING, right: SIGNED_IN },
  listWatchers: { subject: ARTIFACT, right: EVERYONE },
  getNotificationSettings: { subject: NOTHING, right: SIGNED_IN },
  updateNotificationSettings: { subject: NOTHING, right: SIGNED_IN, body: { mail: 'daily' } },
  listNotifications: { subject: NOTHING, right: SIGNED_IN },
  updateNotification: { subject: OWN_NOTIFICATION, right: SIGNED_IN, body: { is_read: true } },
  deleteNotification: { subject: OWN_NOTIFICATION, right: SIGNED_IN },
  readNotifications: { subject: NOTHING, right: SIGNED_IN, body: { until: 36_000 } },
  getUnsubscription: { subject: UNKNOWN_SECRET('token', 404), right: EVERYONE },
  unsubscribe: { subject: UNKNOWN_SECRET('token', 404), right: EVERYONE },
}

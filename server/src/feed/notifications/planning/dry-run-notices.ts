import { findVisibleUsers } from '../../../accounts/users/find-users-by.ts'
import type { FindNotifiedPeople } from '../../../artifacts/update-artifact/dry-run-report.ts'
import { findEventsOfTransaction } from '../../../platform/database/events.ts'
import { toEventOutline } from './notification-context.ts'
import { type Notice, planNotices } from './plan-notices.ts'

/** The people whom the poller would notify of a version, decided by the same code. */
export const dryRunNotices: FindNotifiedPeople = async ({ context, db, viewer }, artifact, version) => {
  const events = await findEventsOfTransaction(db, `artifacts/${artifact}`)
  // The version is not committed, so only events of this transaction have it.
  const ownEvents = events.filter((event) => toEventOutline(event)?.artifact?.version === version)
  const notices = await planNotices(context, db, 'rehearsed', ownEvents)
  const people = notices.map(({ person }) => person.viewer.account_id)
  const seen = await findVisibleUsers(context, db, viewer, people)
  return notices.flatMap((notice) => {
    const user = seen.get(notice.person.viewer.account_id)
    const channel = notice.isMailed ? ('mail' as const) : ('inbox' as const)
    return user ? [{ user: { id: user.id, username: user.login }, channel, why: reasonName(notice) }] : []
  })
}

const REASON_NAMES = {
  mention: 'mentioned',
  assigned: 'assigned',
  submitted: 'submitted',
  list: 'named_in_field',
} as const

function reasonName({ why, watched = 'account' }: Notice): string {
  if (why !== 'watch') return REASON_NAMES[why]
  return watched === 'account' ? 'default_level' : `watches_${watched}`
}

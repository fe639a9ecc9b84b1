import { findSeenUsers } from '../../../accounts/users/find-users-by.ts'
import type { PeopleTold } from '../../../artifacts/writing/people-told.ts'
import { eventsSinceBegin } from '../../../platform/database/events.ts'
import { outlineOf } from './occasion.ts'
import { type Notice, planNotices } from './plan-notices.ts'

/** Whom the pump would tell of a version, had it been committed: the very same decision. */
export const rehearseNotices: PeopleTold = async ({ context, db, viewer }, artifact, version) => {
  const events = await eventsSinceBegin(db, `artifacts/${artifact}`)
  // Nobody else has committed this version: it is this transaction's own.
  const told = events.filter((event) => outlineOf(event)?.artifact?.version === version)
  const notices = await planNotices(context, db, 'rehearsed', told)
  const people = notices.map(({ person }) => person.viewer.account_id)
  const seen = await findSeenUsers(context, db, viewer, people)
  return notices.flatMap((notice) => {
    const user = seen.get(notice.person.viewer.account_id)
    const channel = notice.isMailed ? ('mail' as const) : ('inbox' as const)
    return user ? [{ user: { id: user.id, username: user.login }, channel, why: whyOf(notice) }] : []
  })
}

const WHYS = { mention: 'mentioned', assigned: 'assigned', submitted: 'submitted', list: 'named_in_field' } as const

function whyOf({ why, watched = 'account' }: Notice): string {
  if (why !== 'watch') return WHYS[why]
  return watched === 'account' ? 'default_level' : `watches_${watched}`
}

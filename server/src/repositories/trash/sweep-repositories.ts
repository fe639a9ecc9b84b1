import type { Sweeper } from '../../platform/jobs/clean-up.ts'
import { preparePlaces } from '../disk/make-repository.ts'
import { placesOf } from '../disk/places.ts'
import { purgeRepositories } from './purge-repositories.ts'
import { removeDeadTransactions } from './remove-dead-transactions.ts'
import { removeLeftovers } from './remove-leftovers.ts'

const DAY = 86_400_000

/** What is past its time in the trash, and what those who were killed have left on disk. */
export const sweepRepositories: Sweeper = async (context, now) => {
  if (context.config.WAYPOST_SVN_ROOT === null) return
  const kept = new Date(now.getTime() - context.settings.current.trash_retention_days * DAY)
  const places = placesOf(context.config)
  await preparePlaces(places)
  await purgeRepositories(context, places, kept)
  await removeLeftovers(context, places, { now, kept })
  await removeDeadTransactions(context, places, now)
}

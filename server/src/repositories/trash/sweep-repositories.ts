import type { Sweeper } from '../../platform/jobs/clean-up.ts'
import { prepareSvnFolders } from '../disk/make-repository.ts'
import { getSvnFolders } from '../disk/svn-folders.ts'
import { purgeRepositories } from './purge-repositories.ts'
import { removeDeadTransactions } from './remove-dead-transactions.ts'
import { removeLeftovers } from './remove-leftovers.ts'

const DAY_MS = 86_400_000

/** Purges expired repositories from the trash, and removes leftovers of killed processes. */
export const sweepRepositories: Sweeper = async (context, now) => {
  if (context.config.WAYPOST_SVN_ROOT === null) return
  const kept = new Date(now.getTime() - context.settings.current.trash_retention_days * DAY_MS)
  const places = getSvnFolders(context.config)
  await prepareSvnFolders(places)
  await purgeRepositories(context, places, kept)
  await removeLeftovers(context, places, { now, kept })
  await removeDeadTransactions(context, places, now)
}

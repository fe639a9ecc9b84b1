import { sql } from 'kysely'
import { Type } from 'typebox'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { loadDirectories } from '../directory.ts'
import { DirectoryUnavailable } from '../directory-error.ts'
import { syncDirectory } from './sync-directory.ts'

/** Runs the sync of each directory whose interval is over. One that fails does not stop the others. */
export const directorySyncJob = defineJob({
  type: 'directory_sync',
  payload: Type.Object({}),
  async run(context) {
    const due = await findDue(context)
    for (const directory of await loadDirectories(context.db)) {
      if (!due.has(directory.name)) continue
      try {
        const counts = await syncDirectory(context, directory)
        context.log.info({ directory: directory.name, counts }, 'a directory was synchronised')
      } catch (error) {
        // It is stored with the directory, and tried again with the next run of this job.
        const details = error instanceof DirectoryUnavailable ? error.message : undefined
        context.log.warn({ directory: directory.name, err: error, details }, 'the sync of a directory has failed')
      }
    }
  },
})

async function findDue({ db, clock }: Context): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select directory.name from directory left join directory_sync sync on sync.directory = directory.name
    where (directory.settings ->> 'is_enabled')::boolean
      and directory.settings ->> 'sync_interval_minutes' is not null
      and (sync.started_on is null or sync.has_failed or sync.started_on
        <= ${clock.now()}::timestamptz - make_interval(mins => (directory.settings ->> 'sync_interval_minutes')::int))`.execute(
    db,
  )
  return new Set(rows.map(({ name }) => name))
}

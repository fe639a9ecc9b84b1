import { Type } from 'typebox'
import { inTransaction } from '../../../platform/database/db.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { ARCHIVE_JOB } from './enqueue-archive.ts'
import { writeArchive } from './write-archive.ts'

/** Writes the archive of a deleted artifact. */
export const archiveJob = defineJob({
  type: ARCHIVE_JOB,
  payload: Type.Object({ archive_id: Type.Integer() }),
  async run(context, { archive_id }) {
    await inTransaction(context.db, (tx) => writeArchive(context, tx, archive_id))
  },
})

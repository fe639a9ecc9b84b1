import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { Resources, resourcesBelow } from '../../../platform/wire/resources.ts'
import { findLogins } from '../../../accounts/users/find-users-by.ts'
import { allOf, type TimeRange, isWithinRange } from '../../../platform/database/conditions.ts'
import type { Db } from '../../../platform/database/db.ts'
import type { Id } from '../../../platform/database/ids.ts'
import type { Pagination } from '../../../platform/http/pages.ts'
import { parkedJob } from '../../../platform/jobs/job-ledger.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { apiDate } from '../../../platform/wire/dates.ts'
import { labelOfProject } from '../../../projects/project-sql.ts'
import { purgeOn } from '../read-trash.ts'
import { ARCHIVE_JOB } from './enqueue-archive.ts'

export type ArchiveId = Id<'artifact_archive'>

export const ARCHIVE_STATES = ['waiting', 'written', 'failed', 'restored', 'expired'] as const
type ArchiveState = (typeof ARCHIVE_STATES)[number]

const text = Type.Union([Type.String(), Type.Null()])
const named = Type.Object({ id: Type.Integer(), label: Type.String() })

export const ArchiveSchema = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    resources: Resources,
    artifact: Type.Object({ id: Type.Integer(), xref: Type.String() }),
    tracker: named,
    project: named,
    deleted_by: Type.Union([Type.Object({ id: Type.Integer(), username: Type.String() }), Type.Null()]),
    deleted_on: Type.String(),
    purge_on: Type.Union([Type.String(), Type.Null()], { description: 'Null if the artifact was restored.' }),
    state: Type.Enum([...ARCHIVE_STATES]),
    written_on: text,
    size: Type.Union([Type.Integer(), Type.Null()]),
    sha256: text,
    file_name: text,
    job_id: Type.Optional(Type.String({ description: 'The job that failed.' })),
  },
  { title: 'Archive' },
)
type ArchiveSchema = Static<typeof ArchiveSchema>

interface Archive {
  readonly id: ArchiveId
  readonly artifact_id: number
  readonly xref: string
  readonly tracker_id: number
  readonly tracker_label: string
  readonly project_id: number
  readonly project_label: string
  readonly deleted_by: number | null
  readonly deleted_on: Date
  readonly is_restored: boolean
  readonly written_on: Date | null
  readonly file_size: number | null
  readonly sha256: string | null
  readonly state: ArchiveState
  readonly job_id: number | null
}

interface ArchiveFilter extends TimeRange {
  readonly id?: number | undefined
  readonly project?: number | undefined
  readonly tracker?: number | undefined
  readonly artifact?: number | undefined
  readonly deleted_by?: number | undefined
  readonly state?: ArchiveState | undefined
}

/** A page plus one row, newest first. One statement, so that size and rows agree. */
export async function readArchives(
  db: Db,
  filter: ArchiveFilter,
  { limit, offset, after }: Pagination,
): Promise<{ rows: Archive[]; size: number }> {
  const begin = after ? sql`found.id < ${after[0]}` : sql`true`
  const { rows } = await sql<(Archive | { id: null }) & { size: number }>`
    with all_archives as (
      select id, artifact_id, xref, tracker_id, tracker_label, project_id, deleted_by, deleted_on, is_restored,
        written_on, size as file_size, sha256, job_id, ${state} as state
      from (select artifact_archive.*, ${parkedJob(ARCHIVE_JOB, sql`'archive_id'`, sql`artifact_archive.id`)} as job_id
        from artifact_archive) each
    ), found as (select * from all_archives where ${fits(filter)})
    select counted.size, page.* from (select count(*) as size from found) counted
    left join lateral (
      select found.*, ${labelOfProject(sql`found.project_id`)} as project_label from found where ${begin}
      order by found.id desc limit ${limit + 1} offset ${after ? 0 : offset}
    ) page on true
    order by page.id desc`.execute(db)
  return { size: rows[0]?.size ?? 0, rows: rows.filter((row) => row.id !== null) }
}

const state = sql`case
  when written_on is not null and document is null then 'expired'
  when is_restored then 'restored'
  when written_on is not null then 'written'
  when job_id is not null then 'failed'
  else 'waiting' end`

function fits({ id, project, tracker, artifact, deleted_by, state: wanted, from, to }: ArchiveFilter) {
  const is = (column: RawBuilder<unknown>, value: number | string | undefined) =>
    value === undefined ? [] : [sql<boolean>`${column} = ${value}`]
  return allOf([
    ...is(sql`id`, id),
    ...is(sql`project_id`, project),
    ...is(sql`tracker_id`, tracker),
    ...is(sql`artifact_id`, artifact),
    ...is(sql`deleted_by`, deleted_by),
    ...is(sql`state`, wanted),
    ...isWithinRange(sql`deleted_on`, { from, to }),
  ])
}

export async function representArchives(context: Context, archives: readonly Archive[]): Promise<ArchiveSchema[]> {
  const logins = await findLogins(
    context.db,
    archives.flatMap(({ deleted_by }) => deleted_by ?? []),
  )
  return archives.map((archive) => {
    const { id, artifact_id, xref, deleted_by, deleted_on, is_restored, written_on, job_id } = archive
    return {
      id,
      uri: `archives/${id}`,
      resources: resourcesBelow(`archives/${id}`, written_on ? ['content'] : []),
      artifact: { id: artifact_id, xref },
      tracker: { id: archive.tracker_id, label: archive.tracker_label },
      project: { id: archive.project_id, label: archive.project_label },
      deleted_by: deleted_by === null ? null : { id: deleted_by, username: logins.get(deleted_by) ?? '' },
      deleted_on: apiDate(deleted_on),
      purge_on: is_restored ? null : apiDate(purgeOn(context, deleted_on)),
      state: archive.state,
      written_on: written_on && apiDate(written_on),
      size: archive.file_size,
      sha256: archive.sha256,
      file_name: written_on && fileName(artifact_id, written_on),
      ...(archive.state === 'failed' && job_id !== null && { job_id: job_id.toString(16) }),
    }
  })
}

/** The format with two underscores is part of the API. */
export function fileName(artifact: number, written_on: Date): string {
  return `deleted__artifact_${artifact}_${Math.floor(written_on.getTime() / 1000)}.zip`
}

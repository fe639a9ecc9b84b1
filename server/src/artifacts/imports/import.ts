import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { hiddenError, permissionError } from '../../accounts/auth-errors.ts'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import { findVisibleUsers } from '../../accounts/users/find-users-by.ts'
import { representUserMinimal } from '../../accounts/users/user.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Id } from '../../platform/database/ids.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { Context } from '../../platform/operation/context.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import type { ResourceVersion } from '../../platform/wire/etag.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { findProject, type FoundProject, requireProjectAdmin } from '../../projects/find-project.ts'
import type { ProjectId } from '../../projects/project.ts'

export type ImportId = Id<'artifact_import'>

export const ImportState = Type.Enum(['running', 'finished'])

export const ImportSource = Type.String({
  minLength: 1,
  maxLength: 255,
  trim: true,
  description: 'The system that the artifacts come from. The history shows it.',
  examples: ['jira.example.com'],
})

export const Import = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    project: Type.Object({ id: Type.Integer(), uri: Type.String() }),
    source: Type.String({ description: 'The system that the artifacts come from.' }),
    state: ImportState,
    artifacts: Type.Integer({ description: 'How many artifacts were imported.' }),
    started_by: nullable(UserMinimal),
    started_on: Type.String(),
    finished_by: nullable(UserMinimal),
    finished_on: nullable(Type.String()),
  },
  { title: 'Import' },
)
export type Import = Static<typeof Import>

export interface ImportRow {
  readonly id: ImportId
  readonly project_id: ProjectId
  readonly source: string
  readonly state: Static<typeof ImportState>
  readonly started_by: AccountId | null
  readonly started_on: Date
  readonly finished_by: AccountId | null
  readonly finished_on: Date | null
  readonly version: number
  readonly artifacts: number
}

interface FoundImport {
  readonly row: ImportRow
  readonly project: FoundProject
}

/** The import, if the viewer administers its project. It is hidden like the project. */
export async function findImport(
  db: Db | Tx,
  viewer: Viewer,
  id: ImportId,
  lock: RawBuilder<unknown> = sql``,
): Promise<FoundImport> {
  const [row] = await readImports(db, sql`artifact_import.id = ${id}`, lock)
  if (!row) throw hiddenError(viewer)
  const project = await findProject(db, viewer, row.project_id)
  requireProjectAdmin(viewer, project)
  return { row, project }
}

/** The same for a write: by site administrators, or by project administrators if the platform allows it. */
export async function findImportForWrite(
  context: Pick<Context, 'settings'>,
  tx: Tx,
  viewer: Viewer,
  id: ImportId,
): Promise<FoundImport> {
  const found = await findImport(tx, viewer, id, sql`for no key update of artifact_import`)
  requireImporter(context, viewer, found.project)
  return found
}

/** Items are accepted until the import is finished, or a site administrator sets another status of the project. */
export function requireRunning({ row, project }: FoundImport): void {
  if (row.state !== 'running') throw new ApiError('import_finished')
  if (project.status !== 'importing') throw new ApiError('rule_violated', { cause: 'project_not_active' })
}

export function requireImporter(
  { settings }: Pick<Context, 'settings'>,
  viewer: Viewer,
  project: Pick<FoundProject, 'is_admin'>,
): void {
  if (viewer.is_site_admin) return
  if (!project.is_admin) throw permissionError(viewer, 'site_admin')
  if (!settings.current.may_import)
    throw new ApiError('permission_denied', { who_may: ['site_admin'], cause: 'import_not_allowed' })
}

export async function readImports(
  db: Db | Tx,
  condition: RawBuilder<unknown>,
  rest: RawBuilder<unknown> = sql``,
): Promise<readonly ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    select artifact_import.id, artifact_import.project_id, artifact_import.source, artifact_import.state,
      artifact_import.started_by, artifact_import.started_on, artifact_import.finished_by,
      artifact_import.finished_on, artifact_import.version,
      (select count(*) from imported_artifact where imported_artifact.import_id = artifact_import.id) as artifacts
    from artifact_import where ${condition} ${rest}`.execute(db)
  return rows
}

export async function representImports(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  rows: readonly ImportRow[],
): Promise<Import[]> {
  const named = rows.flatMap(({ started_by, finished_by }) => [started_by, finished_by]).filter((id) => id !== null)
  const people = await findVisibleUsers(context, db, viewer, named)
  const person = (id: AccountId | null) => {
    const row = id === null ? undefined : people.get(id)
    return row ? representUserMinimal(context, row) : null
  }
  return rows.map((row) => ({
    id: row.id,
    uri: `imports/${row.id}`,
    project: { id: row.project_id, uri: `projects/${row.project_id}` },
    source: row.source,
    state: row.state,
    artifacts: row.artifacts,
    started_by: person(row.started_by),
    started_on: apiDate(row.started_on),
    finished_by: person(row.finished_by),
    finished_on: row.finished_on && apiDate(row.finished_on),
  }))
}

export function importVersion({ id, version }: Pick<ImportRow, 'id' | 'version'>): ResourceVersion {
  return { kind: 'import', id, version }
}

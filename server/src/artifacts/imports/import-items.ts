import { sql } from 'kysely'
import { requireAccount } from '../../accounts/auth-errors.ts'
import type { Tx } from '../../platform/database/db.ts'
import { bulkRoute } from '../../platform/http/bulk.ts'
import type { LineResult } from '../../platform/http/bulk-route.ts'
import { idParam } from '../../platform/http/route.ts'
import { isId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { lockCounters } from '../../trackers/counter.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { type Artifact, artifactVersion } from '../artifact.ts'
import { sealNamedFiles } from '../attachments/seal-named-files.ts'
import { mayDependOnEarlierLines, refusalIn } from '../bulk/draft-creations.ts'
import { draftLines } from './draft-lines.ts'
import { findImport, findImportForWrite, type ImportId, requireImporter, requireRunning } from './import.ts'
import { ImportLine } from './import-line.ts'
import { writeLines } from './write-imported.ts'

export const importItems = bulkRoute({
  path: '/imports/:id/items',
  operationId: 'importItems',
  summary: 'Import artifacts with their history, line by line, without notifications.',
  description:
    'Writes artifacts with the authors, times and comments of another system, without notifications and without the rules of the workflow. Those who may import into the project. Each line answers its own problems; a line whose source key exists in the import is not written again.',
  access: 'signed_in',
  params: { id: idParam<ImportId>('The import.') },
  line: ImportLine,
  isSilent: () => true,
  async open({ context, viewer, params }) {
    requireAccount(viewer)
    const found = await findImport(context.db, viewer, params.id)
    requireImporter(context, viewer, found.project)
    requireRunning(found)
    return found.row.project_id
  },
  async prepareBatch(call, lines, project) {
    const { context, viewer, language } = call
    const values = lines.flatMap(({ value }) => value.versions)
    const refusedFiles = await sealNamedFiles(call, values)
    const author = { context, viewer, language, db: context.db, now: context.clock.now(), refusedFiles }
    const drafted = await draftLines(
      author,
      project,
      lines.map(({ value }) => value),
    )
    return { drafted, refusedFiles }
  },
  async handleBatch({ context, viewer, language, params }, lines, work, project_id, { drafted, refusedFiles }) {
    const { tx, isDryRun } = work
    // The lock makes batches of one import wait for each other, so that no key is created twice.
    const refusal = await findImportForWrite(context, tx, viewer, params.id).then(requireRunning).catch(refusalIn)
    if (refusal) return lines.map(() => ({ error: refusal }))

    const now = context.clock.now()
    const author = { context, viewer, language, db: tx, now, refusedFiles, isDryRun }
    const importing = { import_id: params.id, project_id, imported_by: requireAccount(viewer), imported_on: now }
    const values = lines.map(({ value }) => value)
    const known = await findImported(tx, params.id, values)
    const fresh = new Map(values.filter(({ source_key }) => !known.has(source_key)).map(firstByKey(values)))
    await lockTrackers(tx, [...fresh.values()])
    const sent = [...fresh.values()]
    // The batch before was not written yet when this one was drafted: a link may find its target now.
    const unsure = sent.filter((line) => isUnsure(drafted.get(line)))
    const again = unsure.length > 0 ? await draftLines(author, project_id, unsure, sent) : new Map<never, never>()
    const written = await writeLines(work, author, importing, sent, new Map([...drafted, ...again]))
    const made = new Map([...fresh.keys()].map((key, at) => [key, written[at]]))
    return values.map((line) => {
      const row = known.get(line.source_key)
      if (row) return unchanged(row)
      const result = made.get(line.source_key) ?? { error: new ApiError('unavailable') }
      const isRepeated = fresh.get(line.source_key) !== line
      return isRepeated && !('error' in result) ? { ...result, status: 200, isUnchanged: true } : result
    })
  },
})

function isUnsure(drafted: unknown): boolean {
  return drafted instanceof ApiError && mayDependOnEarlierLines(drafted)
}

type KnownArtifact = Pick<Artifact, 'id' | 'version' | 'last_modified'>

/** The artifacts that the import has already, by key. */
async function findImported(
  tx: Tx,
  id: ImportId,
  lines: readonly ImportLine[],
): Promise<ReadonlyMap<string, KnownArtifact>> {
  const { rows } = await sql<KnownArtifact & { source_key: string }>`
    select imported_artifact.source_key, artifact.id, artifact.version, artifact.last_modified
    from imported_artifact join artifact on artifact.id = imported_artifact.artifact_id
    where imported_artifact.import_id = ${id}
      and imported_artifact.source_key = any(${lines.map(({ source_key }) => source_key)}::text[])`.execute(tx)
  return new Map(rows.map((row) => [row.source_key, row]))
}

/** A key that several lines of a batch have is created by the first of them. */
function firstByKey(lines: readonly ImportLine[]) {
  const first = new Map(lines.toReversed().map((line) => [line.source_key, line]))
  return (line: ImportLine) => [line.source_key, first.get(line.source_key) ?? line] as const
}

function unchanged(row: KnownArtifact): LineResult {
  return { status: 200, id: row.id, version: artifactVersion(row), isUnchanged: true }
}

/** Locks the counters of all trackers at once, in the order of all writers, to prevent deadlocks. */
async function lockTrackers(tx: Tx, lines: readonly ImportLine[]): Promise<void> {
  const ids = lines.map(({ tracker }) => tracker.id).filter((id) => isId<TrackerId>(id))
  await lockCounters(tx, [...new Set(ids)])
}

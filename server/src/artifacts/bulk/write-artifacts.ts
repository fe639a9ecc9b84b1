import { Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { bulkRoute } from '../../platform/http/bulk.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { BulkLine, BulkWriteContext, LineResult } from '../../platform/http/bulk-route.ts'
import { idParam } from '../../platform/http/route.ts'
import type { ApiError } from '../../platform/messages/errors.ts'
import { lockCounters } from '../../trackers/counter.ts'
import { findTracker, requireTrackerAdmin } from '../../trackers/find-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { sealNamedFiles } from '../attachments/seal-named-files.ts'
import { lockArtifacts } from '../update-artifact/lock-artifacts.ts'
import type { Author } from '../update-artifact/version-draft.ts'
import { createArtifacts } from './create-artifacts.ts'
import { readCsvColumns } from './csv-columns.ts'
import { draftCreations, type Drafted, refusalIn } from './draft-creations.ts'
import { type ArtifactCreation, ArtifactLine, readLine, type ArtifactUpdate } from './line.ts'
import { updateArtifacts } from './update-artifacts.ts'

export const writeArtifacts = bulkRoute({
  path: '/trackers/:id/artifacts/bulk',
  operationId: 'writeArtifacts',
  summary: 'Create and update many artifacts, line by line.',
  description:
    'Runs many writes in one request, as lines of JSON or as rows of CSV with the columns of the export; each line is answered with the status that the single write would have had. Signed-in people, checked per line; `notify=false` by tracker administrators. A line that fails does not stop the others, unless `stop_on_error` is set; more than 10,000 lines are refused.',
  access: 'signed_in',
  params: { id: idParam<TrackerId>('The tracker.') },
  query: {
    notify: Type.Optional(
      Type.Boolean({ description: '`false` sends no mail notifications. Only tracker administrators may set it.' }),
    ),
  },
  line: ArtifactLine,
  isSilent: ({ query }) => query.notify === false,
  async open({ context, viewer, params, query }) {
    requireAccount(viewer)
    const access = await findTracker(context, context.db, viewer, params.id)
    if (query.notify === false) requireTrackerAdmin(access)
    return access
  },
  csv: {
    example: 'id,summary,points\r\n101,Pick the early apples,8\r\n,Oil the press,3\r\n',
    readColumns: (_, access, names) => readCsvColumns(access, names),
  },
  async prepareBatch(call, lines) {
    const { context, viewer, language, params } = call
    const refusedFiles = await sealNamedFiles(
      call,
      lines.map(({ value }) => value),
    )
    const author = { context, viewer, language, db: context.db, now: context.clock.now(), refusedFiles }
    const runs: PreparedRun[] = []
    for (const run of runsOf(lines)) {
      const isWorthIt = run.op === 'create' && run.inputs.length > 1
      runs.push({ run, drafted: isWorthIt ? await draftCreations(author, params.id, run.inputs) : undefined })
    }
    return { runs, refusedFiles }
  },
  async handleBatch({ context, viewer, language, params, query }, lines, work, _, { runs, refusedFiles }) {
    if (query.notify === false) {
      const access = await findTracker(context, work.tx, viewer, params.id).catch(refusalIn)
      const refusal = 'tracker' in access ? refusalOf(() => requireTrackerAdmin(access)) : access
      if (refusal) return lines.map(() => ({ error: refusal }))
    }
    const author = {
      context,
      viewer,
      language,
      db: work.tx,
      now: context.clock.now(),
      refusedFiles,
      isDryRun: work.isDryRun,
    }
    await lockInOrder(work.tx, params.id, runs)
    const results: LineResult[] = []
    for (const run of runs) results.push(...(await writeRun(work, author, params.id, run)))
    return results
  },
})

/** Locks the counter, then the artifacts by id, as all writers do, to prevent deadlocks. */
async function lockInOrder(tx: Tx, tracker: TrackerId, runs: readonly PreparedRun[]): Promise<void> {
  if (runs.length > 1 && runs.some(({ run }) => run.op === 'create')) await lockCounters(tx, [tracker])
  const ids = runs.flatMap(({ run }) => (run.op === 'update' ? run.updates.map(({ id }) => id) : []))
  if (ids.length > 1) await lockArtifacts(tx, tracker, ids)
}

type Run =
  | { readonly op: 'create'; readonly inputs: ArtifactCreation['input'][] }
  | { readonly op: 'update'; readonly updates: ArtifactUpdate[] }
  | { readonly op: 'refuse'; readonly error: ApiError; readonly id: number | null }

interface PreparedRun {
  readonly run: Run
  readonly drafted: Drafted | ApiError | undefined
}

/** Groups lines that can be written together: of one kind, in order, no artifact twice. */
function runsOf(lines: readonly BulkLine<ArtifactLine>[]): readonly Run[] {
  const runs: Run[] = []
  for (const { value } of lines) {
    const last = runs.at(-1)
    const read = readOrRefuse(value)
    if (read.op === 'refuse') runs.push(read)
    else if (read.op === 'create' && last?.op === 'create') last.inputs.push(read.input)
    else if (read.op === 'create') runs.push({ op: 'create', inputs: [read.input] })
    else if (last?.op === 'update' && !last.updates.some(({ id }) => id === read.id)) last.updates.push(read)
    else runs.push({ op: 'update', updates: [read] })
  }
  return runs
}

function readOrRefuse(line: ArtifactLine): ArtifactCreation | ArtifactUpdate | Extract<Run, { op: 'refuse' }> {
  try {
    return readLine(line)
  } catch (error) {
    return { op: 'refuse', error: refusalIn(error), id: line.id ?? null }
  }
}

function refusalOf(check: () => void): ApiError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return refusalIn(error)
  }
}

async function writeRun(
  work: BulkWriteContext,
  author: Author,
  tracker: TrackerId,
  { run, drafted }: PreparedRun,
): Promise<readonly LineResult[]> {
  switch (run.op) {
    case 'create':
      return createArtifacts(work, author, tracker, run.inputs, drafted)
    case 'update':
      return updateArtifacts(work, author, tracker, run.updates)
    case 'refuse':
    default:
      return [run]
  }
}

import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { FieldValue } from '../stored-values.ts'
import { newPartIds } from '../store-tracker.ts'
import type { PartKind } from '../tables.ts'
import type { Structure, Tracker } from '../tracker.ts'
import type { Judged } from './judge-document.ts'
import { loadWorld } from './load-world.ts'
import { findNeeded, type Needed } from './needed-elsewhere.ts'
import { type Located, refusalOf } from './problems.ts'
import { type ReadDefinition, readDefinition, type ReadOptions } from './read-definition.ts'
import type { TrackerDefinition } from './schemas.ts'
import type { World } from './world.ts'

/** A document that was read against what there is. */
export interface Considered {
  readonly read: ReadDefinition
  readonly world: World
  /** Its structure, with ids of this tracker for what is new. */
  readonly build: (tx: Tx, tracker: Pick<Tracker, 'id' | 'project_id'>) => Promise<Structure>
}

interface Considering {
  readonly context: Pick<Context, 'sharesProject' | 'storedValues'>
  readonly viewer: Viewer
  readonly project_id: ProjectId
  /** The tracker that the document is for; absent: a new one. */
  readonly stored?: Tracker
  /** Remove what the document leaves out, where nothing was ever stored in it. */
  readonly prune?: boolean
}

/** What a document would make. With `problems` it makes nothing, and may not even be readable. */
export async function considerDefinition(
  db: Db | Tx,
  { document, problems }: Judged,
  considering: Considering,
): Promise<{ problems: readonly Located[]; considered: Considered | undefined }> {
  const { context, viewer, project_id, stored, prune = false } = considering
  if (!document) return { problems, considered: undefined }
  const world = await loadWorld(context, db, viewer, project_id, document, stored)
  const needed = stored && (await findNeeded(db, stored))
  const plain: ReadOptions = { stored, problems, ...(needed && { needed: needed.fields }) }
  const first = readDefinition(document, world, plain)
  const isPruned = prune && stored && needed && first.problems.length === 0
  const options = isPruned
    ? { ...plain, prunable: await findPrunable(db, context, stored, first.dropped, needed) }
    : plain
  const read = isPruned ? readDefinition(document, world, options) : first
  return {
    problems: read.problems,
    considered: { read, world, build: (tx, tracker) => build(tx, tracker, document, world, options, read) },
  }
}

/** The document, if it can be accepted; else all that is wrong with it is told. */
export async function acceptDefinition(tx: Tx, judged: Judged, considering: Considering): Promise<Considered> {
  const { problems, considered } = await considerDefinition(tx, judged, considering)
  if (problems.length > 0 || !considered) throw refusalOf(problems)
  return considered
}

async function build(
  tx: Tx,
  tracker: Pick<Tracker, 'id' | 'project_id'>,
  document: TrackerDefinition,
  world: World,
  options: ReadOptions,
  { needs }: ReadDefinition,
): Promise<Structure> {
  const ids = new Map<PartKind, readonly number[]>()
  for (const [kind, count] of needs) ids.set(kind, await newPartIds(tx, tracker, kind, count))
  return readDefinition(document, world, { ...options, ids }).structure
}

/** Of what the document leaves out: what was never used, and nobody else needs. */
async function findPrunable(
  db: Db | Tx,
  { storedValues }: Considering['context'],
  stored: Tracker,
  dropped: ReadDefinition['dropped'],
  needed: Needed,
): Promise<NonNullable<ReadOptions['prunable']>> {
  const fields = dropped.fields.filter((id) => !needed.mirrored.has(id))
  const values = valuesOf(stored).filter(
    ({ field, value }) => dropped.values.includes(value) && !needed.mirrored.has(field) && !needed.values.has(value),
  )
  const usedFields = await storedValues.usedFields(db, stored.id, fields)
  const usedValues = await storedValues.usedValues(db, stored.id, values)
  return {
    fields: new Set(fields.filter((id) => !usedFields.has(id))),
    values: new Set(values.map(({ value }) => value).filter((id) => !usedValues.has(id))),
  }
}

/** Every value of every list of a tracker. */
function valuesOf({ elements }: Structure): FieldValue[] {
  return elements.flatMap(({ id, bind }) =>
    bind && bind.type !== 'users' ? bind.values.map((value) => ({ field: id, value: value.id })) : [],
  )
}

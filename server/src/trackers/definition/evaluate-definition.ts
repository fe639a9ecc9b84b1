import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { FieldValue } from '../stored-values.ts'
import { newPartIds } from '../store-tracker.ts'
import type { PartKind } from '../tables.ts'
import type { Structure, Tracker } from '../tracker.ts'
import type { ValidatedDocument } from './validate-document.ts'
import { loadReferenceLookup } from './load-reference-lookup.ts'
import { findNeeded, type Needed } from './needed-elsewhere.ts'
import { type Located, toDefinitionError } from './problems.ts'
import { type ParsedDefinition, parseDefinition, type ParseOptions } from './parse-definition.ts'
import type { TrackerDefinition } from './schemas.ts'
import type { ReferenceLookup } from './reference-lookup.ts'

/** A parsed document with the references it was resolved against. */
export interface EvaluatedDefinition {
  readonly read: ParsedDefinition
  readonly world: ReferenceLookup
  /** Builds the structure, with allocated ids for the new parts. */
  readonly build: (tx: Tx, tracker: Pick<Tracker, 'id' | 'project_id'>) => Promise<Structure>
}

interface EvaluationOptions {
  readonly context: Pick<Context, 'sharesProject' | 'settings' | 'storedValues'>
  readonly viewer: Viewer
  readonly project_id: ProjectId
  /** The existing tracker; absent for a new one. */
  readonly stored?: Tracker
  /** Delete the omitted parts that never stored a value. */
  readonly prune?: boolean
}

/** Evaluates a document without writing. If there are `problems`, it is not applied and may be unreadable. */
export async function evaluateDefinition(
  db: Db | Tx,
  { document, problems }: ValidatedDocument,
  considering: EvaluationOptions,
): Promise<{ problems: readonly Located[]; considered: EvaluatedDefinition | undefined }> {
  const { context, viewer, project_id, stored, prune = false } = considering
  if (!document) return { problems, considered: undefined }
  const world = await loadReferenceLookup(context, db, viewer, project_id, document, stored)
  const needed = stored && (await findNeeded(db, stored))
  const plain: ParseOptions = { stored, problems, ...(needed && { needed: needed.fields }) }
  const first = parseDefinition(document, world, plain)
  const isPruned = prune && stored && needed && first.problems.length === 0
  const options = isPruned
    ? { ...plain, prunable: await findPrunable(db, context, stored, first.dropped, needed) }
    : plain
  const read = isPruned ? parseDefinition(document, world, options) : first
  return {
    problems: read.problems,
    considered: { read, world, build: (tx, tracker) => build(tx, tracker, document, world, options, read) },
  }
}

/** Returns the document if it is valid; otherwise throws an error with all problems. */
export async function acceptDefinition(
  tx: Tx,
  judged: ValidatedDocument,
  considering: EvaluationOptions,
): Promise<EvaluatedDefinition> {
  const { problems, considered } = await evaluateDefinition(tx, judged, considering)
  if (problems.length > 0 || !considered) throw toDefinitionError(problems)
  return considered
}

async function build(
  tx: Tx,
  tracker: Pick<Tracker, 'id' | 'project_id'>,
  document: TrackerDefinition,
  world: ReferenceLookup,
  options: ParseOptions,
  { needs }: ParsedDefinition,
): Promise<Structure> {
  const ids = new Map<PartKind, readonly number[]>()
  for (const [kind, count] of needs) ids.set(kind, await newPartIds(tx, tracker, kind, count))
  return parseDefinition(document, world, { ...options, ids }).structure
}

/** Omitted parts that never stored a value and that no other tracker refers to. */
async function findPrunable(
  db: Db | Tx,
  { storedValues }: EvaluationOptions['context'],
  stored: Tracker,
  dropped: ParsedDefinition['dropped'],
  needed: Needed,
): Promise<NonNullable<ParseOptions['prunable']>> {
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

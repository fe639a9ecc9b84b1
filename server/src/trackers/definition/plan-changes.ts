import { type Static, Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { Context } from '../../platform/operation/context.ts'
import { type Catalogue, errorMessage, getMessage } from '../../platform/messages/catalogue.ts'
import { asksFor } from '../form/names-in-reports.ts'
import type { Tracker, TrackerId } from '../tracker.ts'
import type { EvaluatedDefinition } from './evaluate-definition.ts'
import { changedElements, changedMembers, placesIn } from './differences.ts'
import type { Located } from './problems.ts'
import { writeDefinition } from './write-definition.ts'

const JsonPointer = Type.String({
  description: 'A JSON Pointer into the document; for removed parts, into the stored document.',
})

export const DefinitionPlan = Type.Object(
  {
    changes: Type.Array(
      Type.Object({
        op: Type.Enum(['add', 'change', 'hide', 'unuse', 'delete']),
        path: JsonPointer,
        from: Type.Unknown(),
        to: Type.Unknown(),
        impact: Type.Object({
          artifacts: Type.Integer({ description: 'The number of artifacts that have a value there.' }),
          reports: Type.Integer({ description: 'The number of reports of the tracker that use the field.' }),
        }),
      }),
    ),
    errors: Type.Array(Type.Unknown(), {
      description: 'The reasons why the document would be refused; empty if it is valid.',
    }),
    warnings: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
  },
  { title: 'TrackerPlan' },
)
export type DefinitionPlan = Static<typeof DefinitionPlan>
interface Planning {
  readonly context: Pick<Context, 'storedValues'>
  readonly language: Catalogue
}

/** The changes a document would make, and the problems that would refuse it. */
export async function planChanges(
  db: Db | Tx,
  { problems, considered }: { problems: readonly Located[]; considered: EvaluatedDefinition | undefined },
  stored: Tracker | undefined,
  { context, language }: Planning,
): Promise<DefinitionPlan> {
  const errors = problems.map((each) => ({ ...each, message: errorMessage(language, each.reason, each) }))
  if (!considered || problems.length > 0) return { changes: [], errors, warnings: [] }
  const { read, world } = considered
  const fresh = { id: toId<TrackerId>(0), project_id: world.project_id, version: 0, rights_epoch: 0 }
  const after: Tracker = { ...fresh, ...stored, ...read.named, ...read.structure }
  const document = writeDefinition(after, world)
  const warnings = warningsOf(after, language)
  if (!stored) {
    const impact = { artifacts: 0, reports: 0 }
    return { changes: [{ op: 'add', path: '', from: null, to: document, impact }], errors, warnings }
  }
  const was = writeDefinition(stored, world)
  const found = [...changedMembers(was, document), ...changedElements(placesIn(stored, was), placesIn(after, document))]
  // A field that changes together with its values is counted once.
  const named = new Set(found.flatMap(({ field }) => field ?? []))
  const fields = await context.storedValues.countFields(db, stored.id, [...named])
  const values = await context.storedValues.countValues(
    db,
    stored.id,
    found.flatMap(({ field, value }) => (field === undefined || value === undefined ? [] : { field, value })),
  )
  const changes = found.map(({ field, value, ...change }): DefinitionPlan['changes'][number] => {
    const count = value === undefined ? field !== undefined && fields.get(field) : values.get(value)
    const element = stored.elements.find(({ id }) => id === field)
    const reports = stored.reports.filter((report) => element && asksFor(report, element)).length
    return { ...change, impact: { artifacts: count || 0, reports } }
  })
  return { changes, errors, warnings }
}

/** A workflow without an initial transition is valid but almost certainly a mistake. */
function warningsOf({ workflow }: Tracker, language: Catalogue): DefinitionPlan['warnings'] {
  if (!workflow?.is_used || workflow.transitions.some(({ from }) => from === null)) return []
  return [{ path: '/workflow', message: getMessage(language, 'plan.no_first_state') }]
}

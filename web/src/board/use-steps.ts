import { useQuery } from '@tanstack/react-query'
import type { Artifact, Tracker, TrackerField } from '@waypost/sdk/api'
import { artifactQuery } from '../artifacts/artifact-queries.ts'
import { type ChoiceKey, isWorkflowField } from '../artifacts/choices.ts'
import { text } from '../artifacts/messages.ts'
import { whyNotStep } from '../artifacts/steps.ts'
import { MAX_TRIED_STEPS, type StepCheck, triedStepsQuery } from '../artifacts/try-steps.ts'
import { mayUpdate } from '../field-types/drafts.ts'
import type { BoardFields } from './board-fields.ts'
import { type BoardColumn, columnKey } from './board-layout.ts'

/** The columns that a held card can move to. */
export function useSteps(
  tracker: Tracker,
  { columns: by, lanes }: BoardFields,
  columns: readonly BoardColumn[],
  artifact: Artifact | undefined,
) {
  const { data: open } = useQuery({
    ...artifactQuery(artifact?.id ?? 0),
    enabled: artifact !== undefined,
    staleTime: 0,
  })
  const isOpen = artifact !== undefined && open?.artifact.id === artifact.id
  // Only the artifact's own form knows the fields frozen in its state.
  const form = isOpen ? open.tracker : tracker
  const field = (of: TrackerField) => form.fields.find(({ field_id }) => field_id === of.field_id) ?? of
  const whyNot = (key: ChoiceKey | undefined) =>
    artifact && whyNotStep(form, field(by), isOpen ? open.artifact : artifact, key)
  const others = isOpen ? columns.flatMap(({ key }) => (key === columnKey(open.artifact, by) ? [] : (key ?? []))) : []
  const isRuled = isWorkflowField(tracker, by) && mayUpdate(field(by)) && others.length <= MAX_TRIED_STEPS
  const { data: tried } = useQuery({
    ...triedStepsQuery(artifact?.id ?? 0, by, others, open),
    enabled: isRuled && others.length > 0,
  })
  return {
    step: (key: ChoiceKey | undefined): StepCheck =>
      (key !== undefined && others.includes(key) && tried?.get(key)) || { whyNot: whyNot(key), note: undefined },
    /** The reason why the card cannot change its lane. */
    whyNotLane: lanes && !mayUpdate(field(lanes)) ? text('step.read_only', { field: lanes.label }) : undefined,
  }
}

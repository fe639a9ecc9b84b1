import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Artifact, Tracker, TrackerField } from '@waypost/sdk/api'
import { api } from '../api.ts'
import { artifactQuery, type OpenArtifact } from '../artifacts/artifact-queries.ts'
import { type ChoiceKey, isWorkflowField } from '../artifacts/choices.ts'
import { mayUpdate } from '../field-types/drafts.ts'
import { text } from './messages.ts'
import type { BoardFields } from './board-fields.ts'
import { explainRefusal, wantsComment } from './explain-refusal.ts'
import { type BoardColumn, columnKey } from './board-layout.ts'
import { whyNotStep } from './steps.ts'

/** The result of checking a step before it is taken. */
export interface StepCheck {
  /** Undefined: the step is allowed. */
  readonly whyNot: string | undefined
  readonly note: string | undefined
}

const ALLOWED_STEP: StepCheck = { whyNot: undefined, note: undefined }
/** Each check is a request. */
const MAX_TRIED_STEPS = 12

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
    ...triedQuery(artifact?.id ?? 0, by, others, open),
    enabled: isRuled && others.length > 0,
  })
  return {
    step: (key: ChoiceKey | undefined): StepCheck =>
      (key !== undefined && others.includes(key) && tried?.get(key)) || { whyNot: whyNot(key), note: undefined },
    /** The reason why the card cannot change its lane. */
    whyNotLane: lanes && !mayUpdate(field(lanes)) ? text('board.read_only', { field: lanes.label }) : undefined,
  }
}

/** Checks permissions and conditions of a step by a dry run on the server. */
const triedQuery = (id: number, by: TrackerField, keys: readonly ChoiceKey[], open: OpenArtifact | undefined) =>
  queryOptions({
    queryKey: ['artifacts', id, 'steps', by.field_id, keys, open?.etag],
    staleTime: 60_000,
    queryFn: async () =>
      new Map(await Promise.all(keys.map(async (key) => [key, await tryStep(id, by, key)] as const))),
  })

async function tryStep(id: number, { field_id }: TrackerField, key: ChoiceKey): Promise<StepCheck> {
  const body = { values: [{ field_id, bind_value_ids: [key] }] }
  const answer = await api.dryRun('PUT /artifacts/{id}', { path: { id }, body })
  // If the check fails, the move itself shows whether it is allowed.
  if (answer.ok || (answer.status !== 400 && answer.status !== 403)) return ALLOWED_STEP
  if (wantsComment(answer)) return { whyNot: undefined, note: text('board.wants_comment') }
  return { whyNot: await explainRefusal(answer), note: undefined }
}

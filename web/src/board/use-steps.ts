import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Artifact, Tracker, TrackerField } from '@waypost/sdk/api'
import { api } from '../api.ts'
import { artifactQuery, type OpenArtifact } from '../artifacts/artifact-queries.ts'
import { type ChoiceKey, isWorkflowField } from '../artifacts/choices.ts'
import { mayUpdate } from '../artifacts/draft.ts'
import { text } from './words.ts'
import type { BoardFields } from './board-fields.ts'
import { explainRefusal, wantsComment } from './explain-refusal.ts'
import { type Column, keyOf } from './lay-out.ts'
import { whyNotStep } from './steps.ts'

/** What there is to know of a step before it is taken. */
export interface Step {
  /** Undefined: it may be taken. */
  readonly whyNot: string | undefined
  readonly note: string | undefined
}

const FREE: Step = { whyNot: undefined, note: undefined }
/** Each is a question to the server. */
const MOST_TRIED = 12

/** Where a card that is held, or asked about, can go. */
export function useSteps(
  tracker: Tracker,
  { columns: by, lanes }: BoardFields,
  columns: readonly Column[],
  artifact: Artifact | undefined,
) {
  const { data: open } = useQuery({
    ...artifactQuery(artifact?.id ?? 0),
    enabled: artifact !== undefined,
    staleTime: 0,
  })
  const isOpen = artifact !== undefined && open?.artifact.id === artifact.id
  // What is frozen in its state is known by its own form alone.
  const form = isOpen ? open.tracker : tracker
  const field = (of: TrackerField) => form.fields.find(({ field_id }) => field_id === of.field_id) ?? of
  const whyNot = (key: ChoiceKey | undefined) =>
    artifact && whyNotStep(form, field(by), isOpen ? open.artifact : artifact, key)
  const others = isOpen ? columns.flatMap(({ key }) => (key === keyOf(open.artifact, by) ? [] : (key ?? []))) : []
  const isRuled = isWorkflowField(tracker, by) && mayUpdate(field(by)) && others.length <= MOST_TRIED
  const { data: tried } = useQuery({
    ...triedQuery(artifact?.id ?? 0, by, others, open),
    enabled: isRuled && others.length > 0,
  })
  return {
    step: (key: ChoiceKey | undefined): Step =>
      (key !== undefined && others.includes(key) && tried?.get(key)) || { whyNot: whyNot(key), note: undefined },
    /** Why it cannot go into another lane. */
    whyNotLane: lanes && !mayUpdate(field(lanes)) ? text('board.read_only', { field: lanes.label }) : undefined,
  }
}

/** For whom a step is, and what it needs, is known to the server alone: it is asked, and writes nothing. */
const triedQuery = (id: number, by: TrackerField, keys: readonly ChoiceKey[], open: OpenArtifact | undefined) =>
  queryOptions({
    queryKey: ['artifacts', id, 'steps', by.field_id, keys, open?.etag],
    staleTime: 60_000,
    queryFn: async () =>
      new Map(await Promise.all(keys.map(async (key) => [key, await tryStep(id, by, key)] as const))),
  })

async function tryStep(id: number, { field_id }: TrackerField, key: ChoiceKey): Promise<Step> {
  const body = { values: [{ field_id, bind_value_ids: [key] }] }
  const answer = await api.dryRun('PUT /artifacts/{id}', { path: { id }, body })
  // What cannot be asked now is found out when it is done.
  if (answer.ok || (answer.status !== 400 && answer.status !== 403)) return FREE
  if (wantsComment(answer)) return { whyNot: undefined, note: text('board.wants_comment') }
  return { whyNot: await explainRefusal(answer), note: undefined }
}

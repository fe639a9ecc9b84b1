import { queryOptions } from '@tanstack/react-query'
import type { TrackerField } from '@waypost/sdk/api'
import { api } from '../api.ts'
import type { OpenArtifact } from './artifact-queries.ts'
import type { ChoiceKey } from './choices.ts'
import { explainRefusal, wantsComment } from './explain-refusal.ts'
import { text } from './messages.ts'

/** The result of checking a step before it is taken. */
export interface StepCheck {
  /** Undefined: the step is allowed. */
  readonly whyNot: string | undefined
  readonly note: string | undefined
}

/** Each check is a request. */
export const MAX_TRIED_STEPS = 12

const ALLOWED_STEP: StepCheck = { whyNot: undefined, note: undefined }

/** Checks permissions and conditions of each step by a dry run on the server. */
export const triedStepsQuery = (
  id: number,
  by: TrackerField,
  keys: readonly ChoiceKey[],
  open: OpenArtifact | undefined,
) =>
  queryOptions({
    queryKey: ['artifacts', id, 'steps', by.field_id, keys, open?.etag],
    staleTime: 60_000,
    queryFn: async () =>
      new Map(await Promise.all(keys.map(async (key) => [key, await tryStep(id, by, key)] as const))),
  })

async function tryStep(id: number, { field_id }: TrackerField, key: ChoiceKey): Promise<StepCheck> {
  const body = { values: [{ field_id, bind_value_ids: [key] }] }
  const answer = await api.dryRun('PUT /artifacts/{id}', { path: { id }, body })
  // If the check fails, the change itself shows whether it is allowed.
  if (answer.ok || (answer.status !== 400 && answer.status !== 403)) return ALLOWED_STEP
  if (wantsComment(answer)) return { whyNot: undefined, note: text('step.wants_comment') }
  return { whyNot: await explainRefusal(answer), note: undefined }
}

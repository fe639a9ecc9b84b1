import type { TrackerField } from '@waypost/sdk/api'
import { api, failureOf } from '../api.ts'
import { sourceOfText } from '../field-types/parts/text-source.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { artifactQuery, fieldValue, invalidateArtifact } from './artifact-queries.ts'
import { text } from './messages.ts'
import { tickTask } from './task-list.ts'

const MAX_ATTEMPTS = 3

/**
 * Marks a task of a text as done or not. Other changes of the artifact meanwhile are kept; if the text itself changed,
 * nothing is written, because the task may be another one.
 */
export async function tickInField(
  id: number,
  { field_id }: TrackerField,
  source: string,
  index: number,
  isDone: boolean,
): Promise<void> {
  const content = tickTask(source, index, isDone)
  if (content === undefined) return
  const body = { values: [{ field_id, value: { content, format: 'commonmark' } }] }
  const query = artifactQuery(id)
  let open = queryClient.getQueryData(query.queryKey)
  for (let attempt = 1; open && attempt <= MAX_ATTEMPTS; attempt++) {
    if (sourceOfText(fieldValue(open.artifact, field_id)) !== source) break
    const { etag } = open
    const answer = await api.call('PUT /artifacts/{id}', { path: { id }, body, ...(etag && { ifMatch: etag }) })
    if (answer.ok) return invalidateArtifact(id)
    if (answer.reason !== 'version_mismatch') return showRefusal(answer)
    open = await queryClient.fetchQuery({ ...query, staleTime: 0 }).catch(failQuietly)
  }
  showToast(text('tasks.changed'), { isTrouble: true })
  await invalidateArtifact(id)
}

function failQuietly(error: unknown): undefined {
  if (!failureOf(error)) throw error
}

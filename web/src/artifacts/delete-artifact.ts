import { useNavigate } from '@tanstack/react-router'
import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import { artifactQuery, type OpenArtifact } from './artifact-queries.ts'
import { showRefusal } from '../shell/show-refusal.ts'

/** Moves the artifact to the trash; undefined for others than administrators of the tracker. The message offers undo. */
export function useDeleteArtifact({ artifact, tracker, etag }: OpenArtifact): (() => void) | undefined {
  const navigate = useNavigate()
  if (tracker.permissions_for_groups === null) return undefined
  const { id, xref } = artifact
  const path = { id }
  const restore = async () => {
    const answer = await api.call('POST /artifacts/{id}/restore', { path })
    if (!answer.ok) return showRefusal(answer)
    showToast(text('artifact.restored', { xref }))
    await navigate({ to: '/artifacts/$artifact', params: { artifact: String(id) } })
  }
  const remove = async () => {
    const answer = await api.call('DELETE /artifacts/{id}', { path, ...(etag !== undefined && { ifMatch: etag }) })
    if (!answer.ok) return showRefusal(answer)
    await navigate({ to: '/trackers/$id', params: { id: String(tracker.id) }, search: {} })
    queryClient.removeQueries({ queryKey: artifactQuery(id).queryKey })
    showToast(text('artifact.deleted', { xref }), { undo: () => void restore() })
  }
  return () => void remove()
}

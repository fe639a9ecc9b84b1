import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { queryClient } from '../query-client.ts'
import { showToast } from '../shell/toasts.ts'
import { text } from './messages.ts'
import { artifactQuery, type OpenArtifact } from './artifact-queries.ts'
import { showRefusal } from '../shell/show-refusal.ts'

/** Moves the artifact to the trash, for administrators of the tracker; the message offers undo. */
export function DeleteArtifact({ open: { artifact, tracker, etag } }: { open: OpenArtifact }) {
  const navigate = useNavigate()
  if (tracker.permissions_for_groups === null) return null
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
  return (
    <Button kind="icon" aria-label={text('delete')} onPress={() => void remove()}>
      <Icon of={Trash2} />
    </Button>
  )
}

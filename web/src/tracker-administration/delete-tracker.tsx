import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Panel } from '../design/page.tsx'
import { openCountsQuery } from '../projects/projects-queries.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { projectOfTrackerQuery } from '../trackers/tracker-query.ts'
import { useDraft } from './draft.ts'
import { text } from './messages.ts'

/** Moves the tracker to the trash; the dialog says what goes with it. */
export function DeleteTracker() {
  const { tracker } = useDraft()
  const { id, label, project } = tracker
  const { data: counts } = useQuery(openCountsQuery(id))
  const { data: place } = useQuery(projectOfTrackerQuery(project.id))
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const remove = async () => {
    setBusy(true)
    const answer = await api.call('DELETE /trackers/{id}', { path: { id } })
    setBusy(false)
    setAsked(false)
    if (!answer.ok) return showRefusal(answer)
    await queryClient.invalidateQueries({ queryKey: ['projects', project.id, 'trackers'] })
    showToast(text('general.deleted', { label }), { undo: () => void restore(id, project.id) })
    return place
      ? navigate({ to: '/projects/$shortname', params: { shortname: place.shortname } })
      : navigate({ to: '/' })
  }
  return (
    <Panel title={text('general.delete')} lead={text('general.delete.lead', { count: counts?.total ?? 0 })}>
      <div>
        <Button kind="danger" onPress={() => setAsked(true)}>
          {text('general.delete.ask')}
        </Button>
      </div>
      {isAsked && (
        <Dialog title={text('general.delete.title', { label })} isQuestion onClose={() => setAsked(false)}>
          <p>{text('general.delete.lead', { count: counts?.total ?? 0 })}</p>
          <DialogActions>
            <Button onPress={() => setAsked(false)} autoFocus>
              {text('cancel')}
            </Button>
            <Button kind="danger" isBusy={isBusy} onPress={() => void remove()}>
              {text('general.delete.really')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </Panel>
  )
}

async function restore(id: number, project: number): Promise<void> {
  const answer = await api.call('POST /trackers/{id}/restore', { path: { id } })
  if (!answer.ok) return showRefusal(answer)
  await queryClient.invalidateQueries({ queryKey: ['projects', project, 'trackers'] })
  return showToast(text('general.restored'))
}

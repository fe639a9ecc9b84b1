import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Loading } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from '../projects/messages.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import styles from './project-settings.module.css'
import { useSettingsProject } from './use-settings-project.ts'

/** The names under which the server counts what a deletion takes. */
const COUNTED = ['trackers', 'artifacts', 'files', 'repositories', 'user_groups', 'members', 'webhooks'] as const

/** Asks for confirmation, with what goes to the trash; the message afterwards offers undo. */
export function DeleteProject({ onClose }: { readonly onClose: () => void }) {
  const { id, shortname, label_without_icon: label } = useSettingsProject()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const { data: counts, error } = useQuery({
    queryKey: ['projects', id, 'contents'],
    gcTime: 0,
    queryFn: async () => {
      const { dry_run } = await read(api.dryRun('DELETE /projects/{id}', { path: { id } }))
      const fields = dry_run.changes.flatMap((change) => change.fields)
      return COUNTED.flatMap((name) => {
        const count = Number(fields.find((field) => field.name === name)?.before ?? 0)
        return count > 0 ? [{ name, count }] : []
      })
    },
  })
  const remove = async () => {
    setBusy(true)
    const answer = await api.call('DELETE /projects/{id}', { path: { id } })
    onClose()
    if (!answer.ok) return showRefusal(answer)
    await navigate({ to: '/projects' })
    queryClient.removeQueries({ queryKey: ['projects', id] })
    queryClient.removeQueries({ queryKey: ['projects', shortname] })
    await queryClient.invalidateQueries({ queryKey: ['projects'] })
    showToast(text('delete_project.done', { project: label }), { undo: () => void restoreProject(id, label) })
  }
  return (
    <Dialog title={text('delete_project.question', { project: label })} isQuestion onClose={onClose}>
      {error && <RefusalNotice error={error} />}
      {!counts && !error && <Loading />}
      {counts && (
        <>
          <p>{text('delete_project.takes')}</p>
          <ul className={styles['counts']}>
            {counts.map(({ name, count }) => (
              <li key={name}>{text(`delete_project.${name}`, { count })}</li>
            ))}
          </ul>
        </>
      )}
      <p>{text('delete_project.until')}</p>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('cancel')}
        </Button>
        <Button kind="danger" isBusy={isBusy} onPress={() => void remove()}>
          {text('delete_project.confirm')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

async function restoreProject(id: number, project: string): Promise<void> {
  const answer = await api.call('POST /projects/{id}/restoration', { path: { id } })
  if (!answer.ok) return showRefusal(answer)
  showToast(text('delete_project.restored', { project }))
  await queryClient.invalidateQueries({ queryKey: ['projects'] })
}

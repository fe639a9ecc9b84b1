import type { TrashEntry } from '@waypost/sdk/api'
import { useState } from 'react'
import { useSession } from '../accounts/session.ts'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Fact } from '../design/fact.tsx'
import { Day, RelativeTime } from '../design/relative-time.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import styles from './administration.module.css'
import { RestoreAs } from './restore-as.tsx'
import { restore } from './restore.ts'

/** A deleted item, with what can be done with it. Only site administrators purge. */
export function DeletedItemRow({ entry }: { entry: TrashEntry }) {
  const { data: session } = useSession()
  const { type, label, project, deleted_by, deleted_on, purge_on, restore_uri } = entry
  const [asked, setAsked] = useState<'purge' | 'name'>()
  const close = () => setAsked(undefined)
  const bringBack = async () => {
    const outcome = await restore(entry)
    if (outcome === 'name_taken') setAsked('name')
  }
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <span>{label === '' ? entry.uri : label}</span>
          <span className={rows['tag']}>{text(`trash.one_${type}`)}</span>
        </p>
        <dl className={rows['facts']}>
          {type !== 'project' && <Fact name={text('trash.of')}>{project.label}</Fact>}
          {deleted_on !== null && (
            <Fact name={text('trash.deleted_by')}>
              {deleted_by?.username ?? text('log.anonymous')}, <RelativeTime at={deleted_on} />
            </Fact>
          )}
          <Fact name={text('trash.purged')}>{purge_on === null ? text('trash.kept') : <Day at={purge_on} />}</Fact>
        </dl>
      </div>
      <div className={styles['buttons']}>
        {restore_uri !== null && (
          <Button aria-label={text('trash.restore_what', { label })} onPress={() => void bringBack()}>
            {text('trash.restore')}
          </Button>
        )}
        {type === 'artifact' && session?.user.is_site_admin === true && (
          <Button kind="danger" aria-label={text('trash.purge_what', { label })} onPress={() => setAsked('purge')}>
            {text('trash.purge')}
          </Button>
        )}
      </div>
      {asked === 'purge' && <Purge id={entry.id} label={label} onClose={close} />}
      {asked === 'name' && <RestoreAs entry={entry} onClose={close} />}
    </li>
  )
}

/** Asks for confirmation: a purge cannot be undone. */
function Purge({ id, label, onClose }: { id: number; label: string; onClose: () => void }) {
  const purge = async () => {
    const answer = await api.call('DELETE /artifacts/{id}', { path: { id }, query: { purge: true } })
    onClose()
    if (answer.ok) showToast(text('trash.gone', { label }))
    else showRefusal(answer)
    await queryClient.invalidateQueries({ queryKey: ['trash'] })
  }
  return (
    <Dialog title={text('trash.purge_question', { label })} isQuestion onClose={onClose}>
      <p>{text('trash.purge_lead')}</p>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('cancel')}
        </Button>
        <Button kind="danger" onPress={() => void purge()}>
          {text('trash.purge_confirm')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

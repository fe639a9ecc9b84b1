import { useNavigate, useSearch } from '@tanstack/react-router'
import type { TrashEntry } from '@waypost/sdk/api'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Fact } from '../design/fact.tsx'
import { SelectField } from '../design/field.tsx'
import { Day, RelativeTime } from '../design/relative-time.tsx'
import { PageLayout } from '../design/page.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { showToast } from '../shell/toasts.ts'
import { text } from './messages.ts'
import { TRASH_TYPE_FILTERS } from './search-parameters.ts'
import styles from './administration.module.css'
import { PagedPanel } from './paged-panel.tsx'
import { RestoreAs } from './restore-as.tsx'
import { restore } from './restore.ts'
import { showRefusal } from '../shell/show-refusal.ts'

/** Everything that is deleted and can still be restored. */
export function TrashPage() {
  const { type } = useSearch({ from: '/shell/own/administration/trash' })
  const navigate = useNavigate()
  return (
    <PageLayout title={text('trash.title')} lead={text('trash.lead')}>
      <div className={styles['filter']}>
        <SelectField
          label={text('trash.type')}
          value={type ?? 'all'}
          options={[
            { value: 'all', label: text('trash.all') },
            ...TRASH_TYPE_FILTERS.map((value) => ({ value, label: text(`trash.${value}`) })),
          ]}
          onChange={(chosen) => {
            const known = TRASH_TYPE_FILTERS.find((each) => each === chosen)
            void navigate({ to: '/administration/trash', search: known ? { type: known } : {} })
          }}
        />
      </div>
      <PagedPanel
        title={text('trash.deleted')}
        none={text('trash.none')}
        queryKey={['administration', 'trash', type]}
        load={(page) => api.call('GET /trash', { query: { ...page, ...(type && { type }) } })}
        keyOf={({ uri }) => uri}
        row={(entry) => <TrashRow entry={entry} />}
      />
      <ApiCall path="/trash" />
    </PageLayout>
  )
}

function TrashRow({ entry }: { entry: TrashEntry }) {
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
              {deleted_by?.username ?? text('log.nobody')}, <RelativeTime at={deleted_on} />
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
        {type === 'artifact' && (
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
    await queryClient.invalidateQueries({ queryKey: ['administration', 'trash'] })
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

import type { DeletedArtifact } from '@waypost/sdk/api'
import { text } from '../administration/messages.ts'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Fact } from '../design/fact.tsx'
import { PagedPanel } from '../design/paged-panel.tsx'
import { Day, RelativeTime } from '../design/relative-time.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { useDraft } from './draft.ts'
import { AdministrationScreen } from './screen.tsx'

/** The deleted artifacts of a tracker that can still be restored. */
export function TrackerTrashPage() {
  const { tracker } = useDraft()
  return (
    <AdministrationScreen title={text('trash.title')} lead={text('trash.lead')} call="trash">
      <PagedPanel
        title={text('trash.deleted')}
        none={text('trash.none')}
        queryKey={['trash', 'tracker', tracker.id]}
        load={(page) => api.call('GET /trackers/{id}/trash', { path: { id: tracker.id }, query: page })}
        keyOf={({ id }) => id}
        row={(artifact) => <DeletedRow artifact={artifact} />}
      />
    </AdministrationScreen>
  )
}

function DeletedRow({ artifact }: { readonly artifact: DeletedArtifact }) {
  const { id, xref, title, deleted_by, deleted_on, purge_on } = artifact
  const label = title ?? xref
  const restore = async () => {
    const answer = await api.call('POST /artifacts/{id}/restore', { path: { id } })
    if (answer.ok) showToast(text('trash.restored', { label }))
    else showRefusal(answer)
    await queryClient.invalidateQueries({ queryKey: ['trash'] })
  }
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <span>{label}</span>
          <span className={rows['tag']}>{xref}</span>
        </p>
        <dl className={rows['facts']}>
          <Fact name={text('trash.deleted_by')}>
            {deleted_by.real_name ?? deleted_by.display_name}, <RelativeTime at={deleted_on} />
          </Fact>
          <Fact name={text('trash.purged')}>
            <Day at={purge_on} />
          </Fact>
        </dl>
      </div>
      <Button aria-label={text('trash.restore_what', { label })} onPress={() => void restore()}>
        {text('trash.restore')}
      </Button>
    </li>
  )
}

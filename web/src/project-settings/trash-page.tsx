import { DeletedItemRow } from '../administration/deleted-item-row.tsx'
import { api } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { PagedPanel } from '../design/paged-panel.tsx'
import { PageLayout } from '../design/page.tsx'
import { text } from '../projects/messages.ts'
import { useSettingsProject } from './use-settings-project.ts'

/** Everything of the project that is deleted and can still be restored. */
export function ProjectTrashPage() {
  const { id } = useSettingsProject()
  return (
    <PageLayout title={text('project_trash')} lead={text('project_trash.lead')}>
      <PagedPanel
        title={text('project_trash')}
        none={text('project_trash.none')}
        queryKey={['trash', 'project', id]}
        load={(page) => api.call('GET /projects/{id}/trash', { path: { id }, query: page })}
        keyOf={({ uri }) => uri}
        row={(entry) => <DeletedItemRow entry={entry} />}
      />
      <ApiCall path={`/projects/${id}/trash`} />
    </PageLayout>
  )
}

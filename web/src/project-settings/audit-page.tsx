import { AuditEntryRow } from '../administration/audit-entry-row.tsx'
import { api } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { PagedPanel } from '../design/paged-panel.tsx'
import { PageLayout } from '../design/page.tsx'
import { text } from '../projects/messages.ts'
import { useSettingsProject } from './use-settings-project.ts'

/** The administrative changes of the project. Reading them is itself logged. */
export function ProjectAuditPage() {
  const { id } = useSettingsProject()
  return (
    <PageLayout title={text('project_audit')} lead={text('project_audit.lead')}>
      <PagedPanel
        title={text('project_audit.entries')}
        none={text('project_audit.none')}
        queryKey={['projects', id, 'audit']}
        load={(page) => api.call('GET /projects/{id}/audit', { path: { id }, query: page })}
        keyOf={(entry) => entry.id}
        row={(entry) => <AuditEntryRow entry={entry} />}
      />
      <ApiCall path={`/projects/${id}/audit`} />
    </PageLayout>
  )
}

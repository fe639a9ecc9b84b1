import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../accounts/session.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { buttonClass } from '../design/button.tsx'
import { Loading, PageLayout } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from './messages.ts'
import { NewProjectForm } from './new-project-form.tsx'
import { whomToAsk } from './no-projects.tsx'
import { projectTemplatesQuery, useProjectCreation } from './project-creation.ts'

/** Creates a project. Viewers who may not do that read whom to ask. */
export function NewProjectPage() {
  const { data: session } = useSession()
  const creation = useProjectCreation()
  const mayCreate = creation === 'direct' || creation === 'approval'
  const { data: templates, error, refetch } = useQuery({ ...projectTemplatesQuery, enabled: mayCreate })
  const [pending, setPending] = useState<string>()
  if (creation === 'denied')
    return (
      <PageLayout title={text('new_project.denied')} lead={whomToAsk(session?.settings.contact_email ?? '')}>
        <ToProjects />
      </PageLayout>
    )
  if (pending !== undefined)
    return (
      <PageLayout title={text('new_project.pending')} lead={text('new_project.pending.lead', { project: pending })}>
        <ToProjects />
      </PageLayout>
    )
  return (
    <PageLayout title={text('projects.new')} lead={text('new_project.lead')}>
      {error && !templates && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!error && !templates && <Loading />}
      {templates && (
        <NewProjectForm templates={templates} isApproved={creation === 'approval'} onPending={setPending} />
      )}
      <ApiCall path={`/projects?query=${encodeURIComponent('{"is_template":true}')}`} />
    </PageLayout>
  )
}

function ToProjects() {
  return (
    <div>
      <Link to="/projects" className={buttonClass()}>
        {text('projects.all')}
      </Link>
    </div>
  )
}

import { useState } from 'react'
import { ApiCall } from '../design/api-snippets.tsx'
import { PageLayout } from '../design/page.tsx'
import { text } from '../projects/messages.ts'
import { ArchivedNotice, ProjectEnd } from './project-end.tsx'
import { BannerForm } from './banner-form.tsx'
import { GeneralForm } from './general-form.tsx'
import { Services } from './project-services.tsx'
import { useSettingsProject } from './use-settings-project.ts'

/** Name, icon, description, visibility, services and banner of a project, its archive and its deletion. */
export function ProjectGeneralPage() {
  const project = useSettingsProject()
  // An undone change shows the form anew, with the stored values.
  const [undone, setUndone] = useState(0)
  const { id, status } = project
  return (
    <PageLayout title={text('project_settings.general')} lead={text('project_settings.lead')}>
      {status === 'archived' ? (
        <ArchivedNotice />
      ) : (
        <>
          <GeneralForm key={undone} onUndone={() => setUndone((count) => count + 1)} />
          <Services project={id} />
          <BannerForm project={id} />
        </>
      )}
      <ProjectEnd />
      <ApiCall path={`/projects/${id}`} />
    </PageLayout>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { ApiCall } from '../design/api-snippets.tsx'
import { buttonClass } from '../design/button.tsx'
import { ProjectMark } from '../design/marks.tsx'
import { Loading, PageLayout } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { projectQuery } from '../projects/projects-queries.ts'
import { useMayAdminister } from '../projects/use-may-administer.ts'
import { CopyForm } from './copy-form.tsx'
import { CsvForm } from './csv/csv-form.tsx'
import { EmptyForm } from './empty-form.tsx'
import { FileForm } from './file-form.tsx'
import { Gallery } from './gallery.tsx'
import { text } from './messages.ts'
import styles from './new-tracker-page.module.css'
import { NEW_TRACKER_WAYS, type NewTrackerWay } from './ways.ts'

const FORMS = {
  templates: Gallery,
  copy: CopyForm,
  file: FileForm,
  csv: CsvForm,
  empty: EmptyForm,
} as const satisfies Record<NewTrackerWay, unknown>

/** Creates trackers of a project: from templates, from another tracker, from a file, or empty. */
export function NewTrackerPage() {
  const { shortname } = useParams({ from: '/shell/own/projects/$shortname/trackers/new' })
  const { from: way = 'templates' } = useSearch({ from: '/shell/own/projects/$shortname/trackers/new' })
  const { data: project, error, refetch } = useQuery(projectQuery(shortname))
  const mayCreate = useMayAdminister(project?.id)
  const title = text('new_tracker.title')
  if (error && !project)
    return (
      <PageLayout title={title}>
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      </PageLayout>
    )
  if (project === null)
    return (
      <PageLayout title={text('project.absent')} lead={text('project.absent.lead')}>
        <ApiCall path="/projects" />
      </PageLayout>
    )
  const back = (
    <Link to="/projects/$shortname" params={{ shortname }}>
      {project && <ProjectMark id={project.id} label={project.label_without_icon} />}
      {project?.label_without_icon ?? shortname}
    </Link>
  )
  if (!project || mayCreate === undefined)
    return (
      <PageLayout title={title} above={back}>
        <Loading />
      </PageLayout>
    )
  if (!mayCreate)
    return (
      <PageLayout title={title} lead={text('new_tracker.not_yours')} above={back}>
        <p>
          <Link to="/projects/$shortname" params={{ shortname }} className={buttonClass()}>
            {text('new_tracker.to_project')}
          </Link>
        </p>
      </PageLayout>
    )
  const Form = FORMS[way]
  return (
    <PageLayout title={title} lead={text('new_tracker.lead')} above={back} here={<b>{title}</b>}>
      <nav className={styles['ways']} aria-label={text('new_tracker.ways')}>
        {NEW_TRACKER_WAYS.map((each) => (
          <Link
            key={each}
            to="/projects/$shortname/trackers/new"
            params={{ shortname }}
            search={each === 'templates' ? {} : { from: each }}
            data-current={each === way}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {text(`new_tracker.way.${each}`)}
          </Link>
        ))}
      </nav>
      <Form project={{ id: project.id, shortname, label: project.label_without_icon }} />
      <ApiCall path="/tracker_templates" />
    </PageLayout>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useSession } from '../accounts/session.ts'
import { ProjectMark } from '../design/marks.tsx'
import { Loading, PageLayout } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { projectQuery } from '../projects/projects-queries.ts'
import { useMayAdminister } from '../projects/use-may-administer.ts'
import { DashboardScreen } from './dashboard.tsx'
import { text } from './messages.ts'

export function ProjectDashboardPage() {
  const { shortname } = useParams({ from: '/shell/projects/$shortname/dashboard' })
  const { data: project, error, refetch } = useQuery(projectQuery(shortname))
  const { data: session } = useSession()
  const mayChange = useMayAdminister(project?.id)
  if (project === null)
    return (
      <PageLayout
        title={text('project.absent')}
        lead={text(session ? 'project.absent.lead' : 'project.absent.anonymous')}
      >
        {null}
      </PageLayout>
    )
  if (!project)
    return (
      <PageLayout title={text('nav.dashboard')}>
        {error ? <RefusalNotice error={error} onRetry={() => void refetch()} /> : <Loading />}
      </PageLayout>
    )
  const { id, label_without_icon: label, icon, status } = project
  return (
    <DashboardScreen
      key={id}
      owner={{ project: id }}
      title={text('dashboard.of', { project: label })}
      lead={text('dashboard.lead')}
      above={
        <Link to="/projects/$shortname" params={{ shortname }}>
          <ProjectMark id={id} label={label} icon={icon} />
          {label}
        </Link>
      }
      mayChange={mayChange === true && status === 'active'}
    />
  )
}

export function OwnDashboardPage() {
  return <DashboardScreen owner="self" title={text('dashboard.own')} lead={text('dashboard.own.lead')} mayChange />
}

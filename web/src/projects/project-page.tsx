import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { LayoutDashboard, Megaphone, Plus, Settings } from 'lucide-react'
import { failureOf } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { buttonClass } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { useSession } from '../accounts/session.ts'
import { text } from './messages.ts'
import { WatchMenu } from '../notifications/watch-menu.tsx'
import { StarButton } from '../personal-lists/star.tsx'
import { useSeen } from '../personal-lists/use-seen.ts'
import { useMayAdminister } from './use-may-administer.ts'
import { ProjectActivity } from './activity.tsx'
import { Invitations } from './invitations.tsx'
import { Members } from './members.tsx'
import styles from './project-page.module.css'
import { bannerQuery } from './banner-query.ts'
import { projectQuery } from './projects-queries.ts'
import { Repositories } from './repositories.tsx'
import { Overview } from './overview.tsx'
import { Trackers } from './trackers.tsx'

export function ProjectPage() {
  const { shortname } = useParams({ from: '/shell/projects/$shortname' })
  const { data: project, error, refetch } = useQuery(projectQuery(shortname))
  const { data: session } = useSession()
  useSeen('project', project?.id)
  if (error && !project)
    return (
      <PageLayout title={shortname}>
        <RefusalNotice error={failureOf(error) ? error : undefined} onRetry={() => void refetch()} />
      </PageLayout>
    )
  if (project === null)
    return (
      <PageLayout
        title={text('project.absent')}
        lead={text(session ? 'project.absent.lead' : 'project.absent.anonymous')}
      >
        <ApiCall path={`/projects?query=${encodeURIComponent(JSON.stringify({ shortname }))}`} />
      </PageLayout>
    )
  if (!project)
    return (
      <PageLayout title={shortname}>
        <Panel title={text('trackers.title')} isList>
          <Loading />
        </Panel>
      </PageLayout>
    )
  const { id, label_without_icon: label, description } = project
  return (
    <PageLayout
      title={label}
      lead={description === '' ? undefined : description}
      star={<StarButton kind="project" id={id} />}
      actions={
        <div className={styles['buttons']}>
          {session && <WatchMenu kind="project" id={id} form="word" />}
          <Link to="/projects/$shortname/dashboard" params={{ shortname }} className={buttonClass()}>
            <Icon of={LayoutDashboard} />
            {text('nav.dashboard')}
          </Link>
          <SettingsLink id={id} shortname={shortname} />
        </div>
      }
    >
      <Banner id={id} />
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <Overview project={id} />
          <Trackers project={id} shortname={shortname} />
          <Repositories project={id} />
          <Members project={id} actions={<MembersLink id={id} shortname={shortname} />} />
        </div>
        <div className={styles['column']}>
          <ProjectActivity project={id} />
          <Invitations project={id} />
        </div>
      </div>
      <ApiCall path={`/projects/${id}`} />
    </PageLayout>
  )
}

/** Shown only to administrators of the project. */
function SettingsLink({ id, shortname }: { id: number; shortname: string }) {
  const mayChange = useMayAdminister(id)
  if (mayChange !== true) return null
  return (
    <Link to="/projects/$shortname/settings" params={{ shortname }} className={buttonClass()}>
      <Icon of={Settings} />
      {text('project.settings')}
    </Link>
  )
}

/** Shown only to administrators of the project. */
function MembersLink({ id, shortname }: { id: number; shortname: string }) {
  const mayChange = useMayAdminister(id)
  if (mayChange !== true) return null
  return (
    <Link to="/projects/$shortname/settings/members" params={{ shortname }} className={buttonClass()}>
      <Icon of={Plus} size={14} />
      {text('members.add')}
    </Link>
  )
}

/** The announcement of the project administrators. */
function Banner({ id }: { id: number }) {
  const { data: message } = useQuery(bannerQuery(id))
  return message === undefined || message === null ? null : (
    <p className={styles['banner']}>
      <Icon of={Megaphone} />
      {message}
    </p>
  )
}

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, failureOf } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { useSession } from '../accounts/session.ts'
import { text } from '../messages/text.ts'
import { StarButton } from '../personal-lists/star.tsx'
import { useSeen } from '../personal-lists/use-seen.ts'
import { ProjectActivity } from './activity.tsx'
import { Invitations } from './invitations.tsx'
import { Members } from './members.tsx'
import styles from './project-page.module.css'
import { projectQuery } from './projects-queries.ts'
import { Repositories } from './repositories.tsx'
import { Trackers } from './trackers.tsx'

const bannerQuery = (id: number) =>
  queryOptions({
    queryKey: ['projects', id, 'banner'],
    queryFn: async () => {
      const answer = await api.call('GET /projects/{id}/banner', { path: { id } })
      return answer.ok ? answer.body.message : null
    },
  })

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
    >
      <Banner id={id} />
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <Trackers project={id} shortname={shortname} />
          <Repositories project={id} />
        </div>
        <div className={styles['column']}>
          <ProjectActivity project={id} />
          <Members project={id} />
          <Invitations project={id} />
        </div>
      </div>
      <ApiCall path={`/projects/${id}`} />
    </PageLayout>
  )
}

/** The announcement of the project administrators. */
function Banner({ id }: { id: number }) {
  const { data: message } = useQuery(bannerQuery(id))
  return message === undefined || message === null ? null : <p className={styles['banner']}>{message}</p>
}

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { ProjectMark } from '../design/marks.tsx'
import { Empty, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { text } from '../messages/text.ts'
import { NewProjectLink, NoProjects } from './no-projects.tsx'

const PAGE_SIZE = 50

/** Every project that the viewer may open. */
export function ProjectsPage() {
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: ['projects', 'all'],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset }) => {
      const answer = await api.call('GET /projects', { query: { limit: PAGE_SIZE, offset } })
      if (!answer.ok) throw new Refusal(answer)
      return { projects: answer.body, size: sizeOf(answer) }
    },
    getNextPageParam: ({ size }, _, offset) => (offset + PAGE_SIZE < size ? offset + PAGE_SIZE : undefined),
  })
  const projects = data?.pages.flatMap((page) => page.projects)
  return (
    <PageLayout title={text('nav.projects')} lead={text('projects.lead')} actions={<NewProjectLink />}>
      {error && !data ? (
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel title={text('projects.all')} count={data?.pages[0]?.size} isList>
          {!projects && <Loading />}
          {projects?.length === 0 && <NoProjects />}
          <ul className={rows['rows']}>
            {projects?.map(({ id, label_without_icon: label, icon, shortname, description, is_member_of, access }) => (
              <li key={id}>
                <div>
                  <p className={rows['title']}>
                    <ProjectMark id={id} label={label} icon={icon} />
                    <Link to="/projects/$shortname" params={{ shortname }}>
                      {label}
                    </Link>
                    {is_member_of && (
                      <span className={`${rows['tag']} ${rows['here']}`}>{text('projects.member')}</span>
                    )}
                    {access.startsWith('private') && <span className={rows['tag']}>{text('projects.private')}</span>}
                  </p>
                  {description !== '' && <p className={rows['facts']}>{description}</p>}
                </div>
              </li>
            ))}
          </ul>
          {hasNextPage && (
            <Empty action={<Button onPress={() => void fetchNextPage()}>{text('more')}</Button>}>{''}</Empty>
          )}
        </Panel>
      )}
      <ApiCall path="/projects" />
    </PageLayout>
  )
}

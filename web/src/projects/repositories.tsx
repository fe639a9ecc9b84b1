import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FolderGit2 } from 'lucide-react'
import { api } from '../api.ts'
import { Refusal } from '@waypost/sdk/answer'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { Copyable } from '../design/api-snippets.tsx'
import { Icon } from '../design/icon.tsx'
import rows from '../design/rows.module.css'
import { NewRepositoryButton } from '../repositories/new-repository.tsx'
import { text } from '../repositories/messages.ts'
import styles from './project-page.module.css'

/** Undefined: the viewer is not signed in, or the service is disabled. */
const repositoriesQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'svn'],
    queryFn: async () => {
      const answer = await api.call('GET /projects/{id}/svn', { path: { id: project }, query: { limit: 50 } })
      if (answer.ok) return answer.body.repositories
      if (answer.status === 401 || answer.status === 404) return null
      throw new Refusal(answer)
    },
  })

export function Repositories({ project }: { project: number }) {
  const { data: repositories, error, refetch } = useQuery(repositoriesQuery(project))
  if (error && !repositories) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  if (repositories === null) return null
  const add = <NewRepositoryButton project={project} />
  return (
    <Panel title={text('repositories.title')} count={repositories?.length} actions={add} isList>
      {!repositories && <Loading />}
      {repositories?.length === 0 && <Empty>{text('repositories.none')}</Empty>}
      <ul className={rows['rows']}>
        {repositories?.map(({ id, name, svn_url, project: { shortname } }) => (
          <li key={id} className={styles['repository']}>
            <p className={rows['title']}>
              <Icon of={FolderGit2} />
              <Link to="/projects/$shortname/repositories/$name" params={{ shortname, name }}>
                {name}
              </Link>
            </p>
            <Copyable value={`svn checkout ${svn_url}`} label={text('checkout.label')} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

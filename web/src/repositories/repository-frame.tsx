import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import tabs from '../design/tabs.module.css'
import { text } from './messages.ts'
import styles from './repository.module.css'
import { repositoryQuery, settingsQuery } from './repository-queries.ts'
import { RepositoryContext } from './use-repository.ts'

/** The layout of all screens of a repository. */
export function RepositoryFrame() {
  const { shortname, name } = useParams({ from: '/shell/own/projects/$shortname/repositories/$name' })
  const { data: repository, error, refetch } = useQuery(repositoryQuery(shortname, name))
  if (error && !repository)
    return (
      <PageLayout title={name}>
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      </PageLayout>
    )
  if (repository === null)
    return (
      <PageLayout title={text('repository.absent')} lead={text('repository.absent.lead')}>
        <p>
          <Link to="/projects/$shortname" params={{ shortname }}>
            {text('repository.to_project')}
          </Link>
        </p>
      </PageLayout>
    )
  if (!repository)
    return (
      <PageLayout title={name}>
        <Panel title={text('repository.files')} isList>
          <Loading />
        </Panel>
      </PageLayout>
    )
  return (
    <RepositoryContext value={repository}>
      <div className={`${tabs['bar']} ${styles['bar']}`}>
        <p className={styles['names']}>
          <Link to="/projects/$shortname" params={{ shortname }}>
            {repository.project.label_without_icon}
          </Link>
          <span aria-hidden>/</span>
          <Link to="/projects/$shortname/repositories/$name" params={{ shortname, name }}>
            {name}
          </Link>
        </p>
        <Tabs id={repository.id} shortname={shortname} name={name} />
      </div>
      <Outlet />
    </RepositoryContext>
  )
}

const CURRENT = { 'aria-current': 'page' } as const

function Tabs({ id, shortname, name }: { id: number; shortname: string; name: string }) {
  const { data: found } = useQuery(settingsQuery(id))
  const params = { shortname, name }
  const { pathname } = useLocation()
  const isIn = (...views: readonly string[]) => views.includes(pathname.split('/')[5] ?? '')
  return (
    <nav className={tabs['tabs']} aria-label={text('repository.nav')}>
      <Link
        to="/projects/$shortname/repositories/$name"
        params={params}
        activeOptions={{ exact: true }}
        {...(isIn('tree', 'file', 'blame') && CURRENT)}
      >
        {text('repository.files')}
      </Link>
      <Link
        to="/projects/$shortname/repositories/$name/log/$"
        params={{ ...params, _splat: '' }}
        {...(isIn('revisions') && CURRENT)}
      >
        {text('repository.history')}
      </Link>
      {found?.settings && (
        <Link to="/projects/$shortname/repositories/$name/settings" params={params}>
          {text('repository.settings')}
        </Link>
      )}
    </nav>
  )
}

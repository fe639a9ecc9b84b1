import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ApiCall } from '../design/api-snippets.tsx'
import { ChoiceMenu } from '../design/choice-menu.tsx'
import { PageLayout } from '../design/page.tsx'
import segments from '../design/segments.module.css'
import { myProjectsQuery } from '../projects/projects-queries.ts'
import { FILTER_PARAMETERS } from './inbox-query.ts'
import { INBOX_FILTERS, type InboxFilter, type InboxSearch } from './inbox-search.ts'
import { Inbox } from './inbox.tsx'
import styles from './inbox.module.css'
import { useIsNarrow } from '../shell/use-is-narrow.ts'
import { text } from './messages.ts'

const MAX_THREADS = 100
const ALL_PROJECTS = 0

/** The notifications of the viewer on a screen of their own. */
export function InboxPage() {
  const search = useSearch({ from: '/shell/own/inbox' })
  const { show = 'all', project } = search
  const parameters = { ...FILTER_PARAMETERS[show], ...(project !== undefined && { project }) }
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return (
    <PageLayout title={text('inbox.title')} lead={useIsNarrow() ? undefined : text('inbox.lead')}>
      <Inbox filter={show} project={project} limit={MAX_THREADS} filters={<Filters shown={show} search={search} />} />
      <ApiCall path={`/notifications/threads${query === '' ? '' : `?${query}`}`} />
    </PageLayout>
  )
}

function Filters({ shown, search }: { readonly shown: InboxFilter; readonly search: InboxSearch }) {
  const { show: _, ...others } = search
  return (
    <div className={styles['filters']}>
      <nav className={styles['kinds']} aria-label={text('inbox.filters')}>
        <span className={segments['segments']}>
          {INBOX_FILTERS.map((filter) => (
            <Link
              key={filter}
              to="/inbox"
              search={filter === 'all' ? others : { ...others, show: filter }}
              className={segments['segment']}
              activeOptions={{ exact: true }}
              {...(filter === shown && { 'data-current': true })}
            >
              {text(`inbox.show.${filter}`)}
            </Link>
          ))}
        </span>
      </nav>
      <ProjectFilter search={search} />
    </div>
  )
}

/** The projects of the viewer. */
function ProjectFilter({ search: { project = ALL_PROJECTS, ...others } }: { readonly search: InboxSearch }) {
  const { data: projects = [] } = useQuery(myProjectsQuery)
  const navigate = useNavigate()
  if (projects.length === 0) return null
  return (
    <ChoiceMenu
      isBare
      isQuiet
      label={text('inbox.project')}
      value={project}
      options={[
        { value: ALL_PROJECTS, label: text('inbox.all_projects') },
        ...projects.map(({ id, label }) => ({ value: id, label })),
      ]}
      onChange={(id) =>
        void navigate({ to: '/inbox', search: id === ALL_PROJECTS ? others : { ...others, project: id } })
      }
    />
  )
}

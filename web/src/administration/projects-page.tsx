import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Project } from '@waypost/sdk/api'
import type { FormEvent } from 'react'
import { formValue } from '../accounts/auth-layout.tsx'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { SelectField } from '../design/field.tsx'
import { Empty, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { isText, text } from './messages.ts'
import { PROJECT_STATUSES } from './search-parameters.ts'
import styles from './administration.module.css'
import { PagedPanel } from '../design/paged-panel.tsx'
import { SearchWords } from './search-words.tsx'
import { showRefusal } from '../shell/show-refusal.ts'

const MAX_FOUND_PROJECTS = 20

/** Projects by status, or by words of their names. */
export function AdministeredProjectsPage() {
  const { q, status = 'active' } = useSearch({ from: '/shell/own/administration/projects' })
  const navigate = useNavigate()
  const query = JSON.stringify({ with_status: status })
  return (
    <PageLayout title={text('nav.projects')} lead={text('administered.lead')}>
      <form
        className={styles['filter']}
        role="search"
        aria-label={text('search')}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          const words = formValue(new FormData(event.currentTarget), 'q').trim()
          void navigate({ to: '/administration/projects', search: words === '' ? { status } : { q: words } })
        }}
      >
        <SearchWords label={text('administered.search')} words={q ?? ''} />
        <SelectField
          label={text('administered.status')}
          value={status}
          options={PROJECT_STATUSES.map((value) => ({ value, label: text(`project.status.${value}`) }))}
          onChange={(chosen) => void navigate({ to: '/administration/projects', search: { status: chosen } })}
        />
        <Button type="submit">{text('search')}</Button>
      </form>
      {q === undefined ? (
        <PagedPanel
          title={text(`project.status.${status}`)}
          none={text('administered.none')}
          queryKey={['administration', 'projects', status]}
          load={(page) => api.call('GET /projects', { query: { ...page, query } })}
          keyOf={({ id }) => id}
          row={(project) => <ProjectRow project={project} />}
        />
      ) : (
        <Found words={q} />
      )}
      <ApiCall path={`/projects?query=${encodeURIComponent(query)}`} />
    </PageLayout>
  )
}

function Found({ words }: { words: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['administration', 'projects', 'found', words],
    queryFn: async () => {
      const named = JSON.stringify({ shortname: words })
      const [exact, found] = await Promise.all([
        read(api.call('GET /projects', { query: { query: named } })),
        words.length < 2
          ? []
          : read(
              api.call('POST /search', {
                body: { keywords: words, types: ['project'] },
                query: { limit: MAX_FOUND_PROJECTS },
              }),
            ),
      ])
      const ids = found.map(({ per_type_id }) => per_type_id).filter((id) => exact.every((known) => known.id !== id))
      return [...exact, ...(await Promise.all(ids.map((id) => read(api.call('GET /projects/{id}', { path: { id } })))))]
    },
  })
  if (error && !data) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  return (
    <Panel title={text('administered.found')} count={data?.length} isList>
      {!data && <Loading />}
      {data?.length === 0 && <Empty>{text('administered.none')}</Empty>}
      <ul className={rows['rows']}>
        {data?.map((project) => (
          <ProjectRow key={project.id} project={project} />
        ))}
      </ul>
    </Panel>
  )
}

function ProjectRow({ project }: { project: Project }) {
  const { id, label_without_icon: label, shortname, access, status } = project
  const name = `project.status.${status ?? ''}`
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <Link to="/projects/$shortname" params={{ shortname }}>
            {label}
          </Link>
          {status !== 'active' && (
            <span className={`${rows['tag']} ${rows['late']}`}>{isText(name) ? text(name) : status}</span>
          )}
        </p>
        <p className={rows['facts']}>
          <span>{shortname}</span>
          <span>{text(`access.${access}`)}</span>
        </p>
      </div>
      {status === 'active' && (
        <Button
          aria-label={text('administered.suspend_what', { label })}
          onPress={() => void setStatus(id, 'suspended')}
        >
          {text('administered.suspend')}
        </Button>
      )}
      {(status === 'suspended' || status === 'pending') && (
        <Button
          aria-label={text('administered.activate_what', { label })}
          onPress={() => void setStatus(id, 'active', status === 'pending')}
        >
          {text(status === 'pending' ? 'administered.approve' : 'administered.activate')}
        </Button>
      )}
    </li>
  )
}

async function setStatus(id: number, status: 'active' | 'suspended', isLast = false): Promise<void> {
  const answer = await api.call('PATCH /projects/{id}', { path: { id }, body: { status } })
  const undo = () => void setStatus(id, status === 'active' ? 'suspended' : 'active', true)
  if (answer.ok) showToast(text(`administered.${status}`), isLast ? {} : { undo })
  else showRefusal(answer)
  await queryClient.invalidateQueries({ queryKey: ['administration', 'projects'] })
}

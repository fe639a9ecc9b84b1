import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { queryOf } from '@waypost/sdk'
import type { AuditEntry } from '@waypost/sdk/api'
import { valueIn } from '../accounts/door.tsx'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/copy.tsx'
import { TextField } from '../design/field.tsx'
import { FilterForm } from '../design/filter-form.tsx'
import { Moment } from '../design/moment.tsx'
import { Empty, Hidden, Loading, Page, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { Download } from '../shell/download.tsx'
import { type Text, text } from './words.ts'
import styles from './administration.module.css'
import { AUDIT_WORDS, type AuditFilter } from './addresses.ts'
import { PagedPanel } from './paged-panel.tsx'

/** People and projects are named by their names; the log knows numbers. Null: there is none of this name. */
const namedQuery = ({ actor, project }: AuditFilter) =>
  queryOptions({
    queryKey: ['administration', 'audit', 'named', actor, project],
    queryFn: async () => {
      const [people, projects] = await Promise.all([
        actor === undefined
          ? undefined
          : read(api.call('GET /users', { query: { query: JSON.stringify({ username: actor }) } })),
        project === undefined
          ? undefined
          : read(api.call('GET /projects', { query: { query: JSON.stringify({ shortname: project }) } })),
      ])
      return {
        actor: people && (people[0]?.id ?? null),
        project: projects && (projects[0]?.id ?? null),
      }
    },
  })

/** Who did what, and when. Looking at it is an entry of it, too. */
export function AuditPage() {
  const filter = useSearch({ from: '/shell/own/administration/audit' })
  const { data: named, error, refetch } = useQuery(namedQuery(filter))
  const { actor: _, project: __, ...rest } = filter
  const { actor, project } = named ?? {}
  const isNobody = actor === null || project === null
  const query = {
    ...rest,
    ...(typeof actor === 'number' && { actor }),
    ...(typeof project === 'number' && { project }),
  }
  const csv = (
    <Download path={`/audit.csv${queryOf(query)}`} name="audit.csv" accept="text/csv">
      {text('audit.csv')}
    </Download>
  )
  return (
    <Page title={text('audit.title')} lead={text('audit.lead')} actions={named && !isNobody && csv}>
      <Filter filter={filter} />
      {error && !named && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!error && (!named || isNobody) && (
        <Panel title={text('audit.entries')} isList>
          {isNobody ? <Empty>{text('audit.nobody')}</Empty> : <Loading />}
        </Panel>
      )}
      {named && !isNobody && (
        <PagedPanel
          title={text('audit.entries')}
          none={text('audit.none')}
          queryKey={['administration', 'audit', query]}
          load={(page) => api.call('GET /audit', { query: { ...query, ...page } })}
          keyOf={({ id }) => id}
          row={(entry) => <Entry entry={entry} />}
        />
      )}
      <ApiCall path={`/audit${queryOf(query)}`} />
    </Page>
  )
}

function Filter({ filter }: { filter: AuditFilter }) {
  const navigate = useNavigate()
  const field = (
    name: (typeof AUDIT_WORDS)[number] | 'from' | 'to',
    { type = 'text', example }: { type?: string; example?: Text } = {},
  ) => (
    <TextField
      label={text(`audit.${name}`)}
      name={name}
      type={type}
      {...(example !== undefined && { placeholder: text(example) })}
      defaultValue={filter[name] ?? ''}
      autoComplete="off"
    />
  )
  const submit = (values: FormData) => {
    const names = [...AUDIT_WORDS, 'from', 'to'] as const
    const given = names.flatMap((name) => {
      const value = valueIn(values, name).trim()
      return value === '' ? [] : [[name, value] as const]
    })
    const outcome = values.has('refused') ? ({ outcome: 'refused' } as const) : {}
    void navigate({ to: '/administration/audit', search: { ...Object.fromEntries(given), ...outcome } })
  }
  return (
    <FilterForm
      label={text('audit.filter')}
      className={styles['filter']}
      shown={JSON.stringify(filter)}
      onSubmit={submit}
    >
      {field('actor')}
      {field('action', { example: 'audit.action.example' })}
      {field('object', { example: 'audit.object.example' })}
      {field('project')}
      {field('address')}
      {field('from', { type: 'date' })}
      {field('to', { type: 'date' })}
      <label className={styles['tick']}>
        <input type="checkbox" name="refused" defaultChecked={filter.outcome === 'refused'} />
        {text('audit.only_refused')}
      </label>
      <Button type="submit">{text('audit.show')}</Button>
    </FilterForm>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { on, actor, credential, address, action, object, project, outcome, before, after, reason, request_id } = entry
  const changed = [
    { name: text('audit.before'), value: before },
    { name: text('audit.after'), value: after },
  ].filter(({ value }) => value !== null && value !== undefined)
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <code>{action}</code>
          {object !== null && <code className={rows['tag']}>{object}</code>}
          {outcome === 'refused' && (
            <span
              className={`${rows['tag']} ${rows['late']}`}
            >{`${text('audit.refused')}${reason === null ? '' : `: ${reason}`}`}</span>
          )}
        </p>
        <p className={rows['facts']}>
          <span>{actor?.username ?? text('audit.anonymous')}</span>
          {credential !== null && <span>{credential.kind}</span>}
          {address !== null && <span>{address}</span>}
          {project !== null && <span>{project.label}</span>}
          <Moment at={on} />
        </p>
        {changed.length > 0 && (
          <details className={styles['more']}>
            <summary>
              {text('audit.changes')}
              <Hidden>{`${action} ${object ?? ''}`}</Hidden>
            </summary>
            {changed.map(({ name, value }) => (
              <div key={name}>
                {name}
                <pre>{JSON.stringify(value, null, 2)}</pre>
              </div>
            ))}
            {request_id !== null && <p>{text('request', { id: request_id })}</p>}
          </details>
        )}
      </div>
    </li>
  )
}

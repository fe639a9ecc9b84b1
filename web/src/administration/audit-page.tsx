import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { toQueryString } from '@waypost/sdk'
import { api, read } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { Empty, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { Download } from '../shell/download.tsx'
import { text } from './messages.ts'
import { AuditEntryRow } from './audit-entry-row.tsx'
import { AuditFilter } from './audit-filter.tsx'
import type { AuditSearch } from './search-parameters.ts'
import { PagedPanel } from '../design/paged-panel.tsx'

/** Resolves the names of a person and a project to the ids that the log uses. Null: the name is unknown. */
const namedQuery = ({ actor, project }: AuditSearch) =>
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

/** The audit log. Reading it is itself logged. */
export function AuditPage() {
  const filter = useSearch({ from: '/shell/own/administration/audit' })
  const { data: named, error, refetch } = useQuery(namedQuery(filter))
  const { actor: _, project: __, ...rest } = filter
  const { actor, project } = named ?? {}
  const isUnknown = actor === null || project === null
  const query = {
    ...rest,
    ...(typeof actor === 'number' && { actor }),
    ...(typeof project === 'number' && { project }),
  }
  const csv = (
    <Download path={`/audit.csv${toQueryString(query)}`} name="audit.csv" accept="text/csv">
      {text('audit.csv')}
    </Download>
  )
  return (
    <PageLayout title={text('audit.title')} lead={text('audit.lead')} actions={named && !isUnknown && csv}>
      <AuditFilter filter={filter} />
      {error && !named && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!error && (!named || isUnknown) && (
        <Panel title={text('audit.entries')} isList>
          {isUnknown ? <Empty>{text('audit.unknown')}</Empty> : <Loading />}
        </Panel>
      )}
      {named && !isUnknown && (
        <PagedPanel
          title={text('audit.entries')}
          none={text('audit.none')}
          queryKey={['administration', 'audit', query]}
          load={(page) => api.call('GET /audit', { query: { ...query, ...page } })}
          keyOf={({ id }) => id}
          row={(entry) => <AuditEntryRow entry={entry} />}
        />
      )}
      <ApiCall path={`/audit${toQueryString(query)}`} />
    </PageLayout>
  )
}

import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ProjectLinkType } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { ChoiceInput } from '../design/field.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { text } from '../administration/messages.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { useSettingsProject } from './use-settings-project.ts'

const MAX_LINK_TYPES = 1000

const projectLinkTypesQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'link_types'],
    queryFn: () =>
      read(api.call('GET /projects/{id}/link_types', { path: { id: project }, query: { limit: MAX_LINK_TYPES } })),
  })

/** Which types new links of the project may have. */
export function ProjectLinkTypesPage() {
  const { id } = useSettingsProject()
  const { data: types, error, refetch } = useQuery(projectLinkTypesQuery(id))
  return (
    <PageLayout title={text('link_types')} lead={text('link_types.project_lead')}>
      {error && !types ? (
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel title={text('link_types')} count={types?.length} isList>
          {!types && <Loading />}
          <ul className={rows['rows']}>
            {types?.map((type) => (
              <TypeRow key={type.shortname} project={id} type={type} />
            ))}
          </ul>
        </Panel>
      )}
      <ApiCall path={`/projects/${id}/link_types`} />
    </PageLayout>
  )
}

function TypeRow({ project, type }: { readonly project: number; readonly type: ProjectLinkType }) {
  const { shortname, forward_label, reverse_label, is_system, is_reserved, enabled } = type
  const isFixed = is_system || is_reserved
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <span>{text('link_types.labels', { forward: forward_label, reverse: reverse_label })}</span>
          <code className={rows['tag']}>{shortname}</code>
        </p>
        {isFixed && <p className={rows['facts']}>{text('link_types.built_in')}</p>}
      </div>
      {!isFixed && (
        <ChoiceInput
          label={text('link_types.allowed')}
          aria-label={text('link_types.allowed_what', { label: forward_label })}
          checked={enabled}
          onChange={({ target }) => void allow(project, shortname, target.checked)}
        />
      )}
    </li>
  )
}

async function allow(project: number, name: string, enabled: boolean, isUndo = false): Promise<void> {
  const path = { id: project, name }
  queryClient.setQueryData(projectLinkTypesQuery(project).queryKey, (types) =>
    types?.map((type) => (type.shortname === name ? { ...type, enabled } : type)),
  )
  const answer = await api.call('PUT /projects/{id}/link_types/{name}', { path, body: { enabled } })
  if (!answer.ok) showRefusal(answer)
  else if (!isUndo) showToast(text('saved'), { undo: () => void allow(project, name, !enabled, true) })
  await queryClient.invalidateQueries({ queryKey: ['projects', project] })
}

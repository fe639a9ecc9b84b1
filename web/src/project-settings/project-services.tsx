import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ProjectService } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { ChoiceGroup, ChoiceInput } from '../design/field.tsx'
import { Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { isText, text } from '../projects/messages.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'

/** A project always has these. */
const FIXED_SERVICES = new Set(['summary', 'admin'])

const servicesQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'services'],
    queryFn: () =>
      read(api.call('GET /projects/{id}/project_services', { path: { id: project }, query: { limit: 50 } })),
  })

/** The parts of a project that can be switched on and off. Nothing is deleted thereby. */
export function Services({ project }: { readonly project: number }) {
  const { data, error, refetch } = useQuery(servicesQuery(project))
  if (error && !data) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  const services = data?.filter(({ name }) => !FIXED_SERVICES.has(name))
  if (services?.length === 0) return null
  return (
    <Panel title={text('services.title')} lead={text('services.lead')}>
      {!services && <Loading />}
      {services && (
        <ChoiceGroup label={text('services.title')} isBare>
          {services.map((service) => (
            <ChoiceInput
              key={service.id}
              label={nameOfService(service)}
              hint={service.is_custom ? service.service_url : undefined}
              checked={service.is_enabled}
              onChange={() => void switchService(project, service, !service.is_enabled)}
            />
          ))}
        </ChoiceGroup>
      )}
    </Panel>
  )
}

function nameOfService({ name, label }: Pick<ProjectService, 'name' | 'label'>): string {
  const known = `service.${name}`
  return isText(known) ? text(known) : label
}

async function switchService(
  project: number,
  service: Pick<ProjectService, 'id' | 'name' | 'label'>,
  isEnabled: boolean,
  isUndo = false,
): Promise<void> {
  const { queryKey } = servicesQuery(project)
  queryClient.setQueryData(queryKey, (all) =>
    all?.map((each) => (each.id === service.id ? { ...each, is_enabled: isEnabled } : each)),
  )
  const answer = await api.call('PUT /project_services/{id}', {
    path: { id: service.id },
    body: { is_enabled: isEnabled },
  })
  if (answer.ok)
    showToast(
      text(isEnabled ? 'services.on' : 'services.off', { service: nameOfService(service) }),
      isUndo ? {} : { undo: () => void switchService(project, service, !isEnabled, true) },
    )
  else showRefusal(answer)
  await queryClient.invalidateQueries({ queryKey: ['projects', project] })
}

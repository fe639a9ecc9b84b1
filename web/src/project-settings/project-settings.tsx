import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { buttonClass } from '../design/button.tsx'
import { ProjectMark } from '../design/marks.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { SettingsHeader } from '../shell/settings-header.tsx'
import tabs from '../design/tabs.module.css'
import { useMayAdminister } from '../projects/use-may-administer.ts'
import { text } from '../projects/messages.ts'
import { projectQuery } from '../projects/projects-queries.ts'
import { projectDetailsQuery, SettingsProjectContext } from './use-settings-project.ts'

/** The layout of all settings of a project. Only its administrators get them. */
export function ProjectSettings() {
  const { shortname } = useParams({ from: '/shell/own/projects/$shortname/settings' })
  const { data: found, error, refetch } = useQuery(projectQuery(shortname))
  const mayChange = useMayAdminister(found?.id)
  if (error && !found)
    return (
      <PageLayout title={text('project_settings')}>
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      </PageLayout>
    )
  if (found === null)
    return (
      <PageLayout title={text('project.absent')} lead={text('project.absent.lead')}>
        {null}
      </PageLayout>
    )
  if (!found || mayChange === undefined)
    return (
      <PageLayout title={text('project_settings')}>
        <Panel title={text('project_settings.general')} isList>
          <Loading />
        </Panel>
      </PageLayout>
    )
  if (!mayChange)
    return (
      <PageLayout title={text('project_settings')} lead={text('project_settings.denied')}>
        <div>
          <Link to="/projects/$shortname" params={{ shortname }} className={buttonClass()}>
            {found.label_without_icon}
          </Link>
        </div>
      </PageLayout>
    )
  return <SettingsFrame id={found.id} />
}

function SettingsFrame({ id }: { readonly id: number }) {
  const { data, error, refetch } = useQuery(projectDetailsQuery(id))
  if (error && !data)
    return (
      <PageLayout title={text('project_settings')}>
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      </PageLayout>
    )
  if (!data) return null
  const { shortname, label_without_icon: label, icon } = data.project
  const params = { shortname }
  return (
    <SettingsProjectContext value={data.project}>
      <SettingsHeader
        parents={[
          {
            key: 'project',
            link: (
              <Link to="/projects/$shortname" params={params}>
                <ProjectMark id={id} label={label} icon={icon} />
                {label}
              </Link>
            ),
          },
        ]}
        title={text('project_settings')}
      >
        <Link to="/projects/$shortname/settings" params={params} activeOptions={{ exact: true }}>
          {text('project_settings.general')}
        </Link>
        <Link to="/projects/$shortname/settings/members" params={params}>
          {text('members.title')}
        </Link>
        <Link to="/projects/$shortname/settings/groups" params={params}>
          {text('groups.title')}
        </Link>
        <Link to="/projects/$shortname/settings/link-types" params={params}>
          {text('project_settings.link_types')}
        </Link>
        <Link to="/projects/$shortname/settings/webhooks" params={params}>
          {text('project_settings.webhooks')}
        </Link>
        <Link to="/projects/$shortname/settings/audit" params={params}>
          {text('project_audit')}
        </Link>
        <Link to="/projects/$shortname/settings/trash" params={params}>
          {text('project_trash')}
        </Link>
      </SettingsHeader>
      <div className={tabs['content']}>
        <Outlet />
      </div>
    </SettingsProjectContext>
  )
}

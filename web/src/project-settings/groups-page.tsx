import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiCall } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { Empty, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { text } from '../projects/messages.ts'
import { GroupNameDialog } from './group-name-dialog.tsx'
import { GroupPanel } from './group-panel.tsx'
import { projectGroupsQuery } from './people-queries.ts'
import { useSettingsProject } from './use-settings-project.ts'

/** The groups of a project, to which trackers and repositories give permissions. */
export function GroupsPage() {
  const { id } = useSettingsProject()
  const { data: groups, error, refetch } = useQuery(projectGroupsQuery(id))
  const [isNew, setNew] = useState(false)
  const add = (
    <Button kind="primary" onPress={() => setNew(true)}>
      {text('groups.new')}
    </Button>
  )
  return (
    <PageLayout title={text('groups.title')} lead={text('groups.lead')} actions={add}>
      {error && !groups && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!groups && !error && <Loading />}
      {groups?.length === 0 && (
        <Panel title={text('groups.title')} isList>
          <Empty>{text('groups.none')}</Empty>
        </Panel>
      )}
      {groups?.map((group) => (
        <GroupPanel key={group.id} group={group} />
      ))}
      {isNew && <GroupNameDialog onClose={() => setNew(false)} />}
      <ApiCall path={`/projects/${id}/user_groups`} />
    </PageLayout>
  )
}

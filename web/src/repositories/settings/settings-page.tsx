import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../design/button.tsx'
import { ApiCall } from '../../design/api-snippets.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Empty, Loading, PageLayout, Panel } from '../../design/page.tsx'
import { RefusalNotice } from '../../design/refusal.tsx'
import { queryClient } from '../../query-client.ts'
import { showToast } from '../../design/toasts.ts'
import { text } from '../messages.ts'
import { settingsQuery } from '../repository-queries.ts'
import { useRepository } from '../use-repository.ts'
import { AccessFile } from './access-file.tsx'
import { CommitRules } from './commit-rules.tsx'
import { ImmutableTagsForm } from './immutable-tags.tsx'
import { Notifications } from './notifications.tsx'
import { showRefusal } from '../../shell/show-refusal.ts'

/** For administrators of the repositories of the project. */
export function RepositorySettingsPage() {
  const { id, name } = useRepository()
  const { data, error, refetch } = useQuery(settingsQuery(id))
  return (
    <PageLayout title={text('svn.settings', { name })} lead={text('svn.settings.lead')}>
      {error && !data && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Panel title={text('rules.title')} isList>
          <Loading />
        </Panel>
      )}
      {data?.settings === null && (
        <Panel title={text('repository.settings')} isList>
          <Empty>{text('svn.settings.denied')}</Empty>
        </Panel>
      )}
      {data?.settings && (
        <>
          <CommitRules rules={data.settings.commit_rules} />
          <ImmutableTagsForm tags={data.settings.immutable_tags} />
          <AccessFile settings={data.settings} />
          <Notifications notifications={data.settings.email_notifications} />
          <Deletion />
        </>
      )}
      <ApiCall path={`/svn/${id}`} />
    </PageLayout>
  )
}

function Deletion() {
  const { name } = useRepository()
  const [isAsked, setAsked] = useState(false)
  return (
    <Panel title={text('svn.delete.title')} lead={text('svn.delete.lead')}>
      <div>
        <Button kind="danger" onPress={() => setAsked(true)}>
          {text('svn.delete', { name })}
        </Button>
      </div>
      {isAsked && <DeletionQuestion onClose={() => setAsked(false)} />}
    </Panel>
  )
}

function DeletionQuestion({ onClose }: { onClose: () => void }) {
  const { id, name, project } = useRepository()
  const navigate = useNavigate()
  const remove = async () => {
    const answer = await api.call('DELETE /svn/{id}', { path: { id } })
    onClose()
    if (!answer.ok) return showRefusal(answer)
    await navigate({ to: '/projects/$shortname', params: { shortname: project.shortname } })
    await queryClient.invalidateQueries({ queryKey: ['projects', project.id, 'svn'] })
    queryClient.removeQueries({ queryKey: ['repositories', project.shortname] })
    showToast(text('svn.deleted', { name }))
  }
  return (
    <Dialog title={text('svn.delete.question', { name })} isQuestion onClose={onClose}>
      <p>{text('svn.delete.what')}</p>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('cancel')}
        </Button>
        <Button kind="danger" onPress={() => void remove()}>
          {text('svn.delete.confirm')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

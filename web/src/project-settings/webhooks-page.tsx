import { useState } from 'react'
import { ApiCall } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { PageLayout } from '../design/page.tsx'
import { text } from '../webhooks/messages.ts'
import { NewWebhookDialog } from '../webhooks/new-webhook.tsx'
import { WebhookList } from '../webhooks/webhook-list.tsx'
import { useSettingsProject } from './use-settings-project.ts'

/** Webhooks for the events of the whole project. */
export function ProjectWebhooksPage() {
  const { id } = useSettingsProject()
  const home = { kind: 'project', id } as const
  const [isNew, setNew] = useState(false)
  const add = (
    <Button kind="primary" onPress={() => setNew(true)}>
      {text('webhooks.add')}
    </Button>
  )
  return (
    <PageLayout title={text('webhooks.title')} lead={text('webhooks.project_lead')} actions={add}>
      <WebhookList home={home} />
      {isNew && <NewWebhookDialog home={home} onClose={() => setNew(false)} />}
      <ApiCall path={`/projects/${id}/webhooks`} />
    </PageLayout>
  )
}

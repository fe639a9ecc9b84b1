import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { text } from '../webhooks/messages.ts'
import { NewWebhookDialog } from '../webhooks/new-webhook.tsx'
import { WebhookList } from '../webhooks/webhook-list.tsx'
import { useDraft } from './draft.ts'
import { AdministrationScreen } from './screen.tsx'

export function WebhooksPage() {
  const { tracker } = useDraft()
  const home = { kind: 'tracker', id: tracker.id } as const
  const [isNew, setNew] = useState(false)
  const add = (
    <Button kind="primary" onPress={() => setNew(true)}>
      {text('webhooks.add')}
    </Button>
  )
  return (
    <AdministrationScreen title={text('webhooks.title')} lead={text('webhooks.lead')} call="webhooks" actions={add}>
      <WebhookList home={home} />
      {isNew && <NewWebhookDialog home={home} onClose={() => setNew(false)} />}
    </AdministrationScreen>
  )
}

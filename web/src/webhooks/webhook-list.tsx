import { useQuery } from '@tanstack/react-query'
import type { Webhook } from '@waypost/sdk/api'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Fact } from '../design/fact.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice, refusalText } from '../design/refusal.tsx'
import { Day } from '../design/relative-time.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { WebhookDeliveries } from './deliveries.tsx'
import { text, type WebhookMessageKey } from './messages.ts'
import { NewSecret } from './new-webhook.tsx'
import { isStopped, refreshWebhooks, type WebhookParent, webhooksQuery } from './webhook-queries.ts'
import styles from './webhooks.module.css'

/** The webhooks of a tracker or of a project, with their deliveries. */
export function WebhookList({ home }: { readonly home: WebhookParent }) {
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery(home))
  if (error && !webhooks) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  return (
    <Panel title={text('webhooks.title')} count={webhooks?.length} isList>
      {!webhooks && <Loading />}
      {webhooks?.length === 0 && <Empty>{text('webhooks.none')}</Empty>}
      <ul className={rows['rows']}>
        {webhooks?.map((webhook) => (
          <Hook key={webhook.id} home={home} webhook={webhook} />
        ))}
      </ul>
    </Panel>
  )
}

type Asked = 'delete' | 'secret'

function Hook({ home, webhook }: { readonly home: WebhookParent; readonly webhook: Webhook }) {
  const [isOpen, setOpen] = useState(false)
  const [asked, setAsked] = useState<Asked>()
  const { id, url, events, format, ordered, state, last_status, owner, created_on } = webhook
  const path = { id }
  const refresh = () => refreshWebhooks(home, id)
  const setActive = async (active: boolean, isUndo = false) => {
    const answer = await api.call('PATCH /webhooks/{id}', { path, body: { active } })
    if (!answer.ok) showRefusal(answer)
    else if (!isUndo)
      showToast(text(active ? 'webhooks.switched_on' : 'webhooks.switched_off'), {
        undo: () => void setActive(!active, true),
      })
    await refresh()
  }
  const test = async () => {
    const answer = await api.call('POST /webhooks/{id}/test', { path })
    showToast(answer.ok ? text('webhooks.tested') : refusalText(answer), { isTrouble: !answer.ok })
    setOpen(true)
    await refresh()
  }
  const isOn = !isStopped(webhook)
  return (
    <li className={styles['hook']}>
      <div>
        <div className={rows['title']}>
          <span>{url}</span>
          <span className={`${rows['tag']} ${rows[state === 'ok' ? 'here' : 'late']}`}>{text(stateText(state))}</span>
        </div>
        <dl className={rows['facts']}>
          <Fact name={text('webhooks.events')}>{events.join(', ')}</Fact>
          <Fact name={text('webhooks.format')}>{text(`webhooks.format.${format}`)}</Fact>
          {ordered && <Fact name={text('webhooks.order')}>{text('webhooks.ordered')}</Fact>}
          {last_status !== null && <Fact name={text('webhooks.last')}>{last_status}</Fact>}
          {owner && <Fact name={text('webhooks.owner')}>{owner.username}</Fact>}
          <Fact name={text('keys.created')}>
            <Day at={created_on} />
          </Fact>
        </dl>
        {state === 'paused' && <p className={styles['paused']}>{text(pauseText(webhook))}</p>}
      </div>
      <div className={styles['actions']}>
        <Button
          aria-expanded={isOpen}
          aria-label={text('webhooks.deliveries_of', { url })}
          onPress={() => setOpen(!isOpen)}
        >
          {text('webhooks.deliveries')}
        </Button>
        <Button aria-label={text('webhooks.test_what', { url })} onPress={() => void test()}>
          {text('webhooks.test')}
        </Button>
        <Button
          aria-label={text(isOn ? 'webhooks.switch_off_what' : 'webhooks.switch_on_what', { url })}
          onPress={() => void setActive(!isOn)}
        >
          {text(isOn ? 'webhooks.switch_off' : 'webhooks.switch_on')}
        </Button>
        <Button aria-label={text('webhooks.secret_what', { url })} onPress={() => setAsked('secret')}>
          {text('webhooks.secret')}
        </Button>
        <Button kind="danger" aria-label={text('webhooks.delete_what', { url })} onPress={() => setAsked('delete')}>
          {text('delete')}
        </Button>
      </div>
      {isOpen && <WebhookDeliveries webhook={id} url={url} />}
      {asked === 'delete' && <DeleteHook home={home} webhook={webhook} onClose={() => setAsked(undefined)} />}
      {asked === 'secret' && <NewSecret webhook={id} url={url} onClose={() => setAsked(undefined)} />}
    </li>
  )
}

function pauseText({ state_reason }: Webhook): WebhookMessageKey {
  return state_reason === 'owner_lost_rights' ? 'webhooks.paused.owner' : 'webhooks.paused.why'
}

function stateText(state: Webhook['state']): WebhookMessageKey {
  return `webhooks.state.${state}`
}

interface DeleteProps {
  readonly home: WebhookParent
  readonly webhook: Webhook
  readonly onClose: () => void
}

/** Asks for confirmation: the log is deleted as well. */
function DeleteHook({ home, webhook: { id, url }, onClose }: DeleteProps) {
  const remove = async () => {
    const answer = await api.call('DELETE /webhooks/{id}', { path: { id } })
    onClose()
    if (answer.ok || answer.status === 404) {
      queryClient.setQueryData(webhooksQuery(home).queryKey, (hooks) => hooks?.filter((each) => each.id !== id))
      showToast(text('webhooks.deleted'))
    } else showRefusal(answer)
    await refreshWebhooks(home)
  }
  return (
    <Dialog title={text('webhooks.delete_title')} isQuestion onClose={onClose}>
      <p className={styles['address']}>{url}</p>
      <p>{text('webhooks.delete_lead')}</p>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('cancel')}
        </Button>
        <Button kind="danger" onPress={() => void remove()}>
          {text('webhooks.delete')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

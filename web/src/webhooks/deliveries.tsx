import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '@waypost/sdk/api'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Fact } from '../design/fact.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { Loading } from '../design/page.tsx'
import { RefusalNotice, refusalText } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import { deliveriesQuery, deliveryQuery } from './webhook-queries.ts'
import styles from './webhooks.module.css'

const FIRST_DELIVERIES = 10
const MAX_DELIVERIES = 100

/** The deliveries of a webhook, newest first. */
export function WebhookDeliveries({ webhook, url }: { webhook: number; url: string }) {
  const [limit, setLimit] = useState(FIRST_DELIVERIES)
  const [opened, setOpened] = useState<number>()
  const { data, error, refetch } = useQuery(deliveriesQuery(webhook, limit))
  return (
    <section className={styles['log']} aria-label={text('webhooks.deliveries_of', { url })}>
      <h3>{text('webhooks.deliveries')}</h3>
      {error && !data && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.size === 0 && <p>{text('webhooks.deliveries.none')}</p>}
      {data && data.size > 0 && (
        <ol>
          {data.deliveries.map((delivery) => (
            <li key={delivery.id}>
              <div>
                <span className={rows['title']}>
                  {delivery.event} <State delivery={delivery} />
                </span>
                <Facts delivery={delivery} />
              </div>
              <Button
                aria-label={text('webhooks.look_what', { event: delivery.event, id: delivery.id })}
                onPress={() => setOpened(delivery.id)}
              >
                {text('webhooks.look')}
              </Button>
            </li>
          ))}
        </ol>
      )}
      {data && data.size > data.deliveries.length && limit < MAX_DELIVERIES && (
        <div className={styles['more']}>
          <Button onPress={() => setLimit(MAX_DELIVERIES)}>{text('more')}</Button>
        </div>
      )}
      {opened !== undefined && (
        <WholeDelivery webhook={webhook} delivery={opened} onClose={() => setOpened(undefined)} />
      )}
    </section>
  )
}

function State({ delivery: { state } }: { delivery: Delivery }) {
  return (
    <span className={`${rows['tag']} ${rows[state === 'delivered' ? 'here' : 'late']}`}>
      {text(`webhooks.delivery.${state}`)}
    </span>
  )
}

function Facts({ delivery }: { delivery: Delivery }) {
  const { status, attempts, duration_ms, error, on } = delivery
  return (
    <dl className={rows['facts']}>
      <Fact name={text('webhooks.at')}>
        <RelativeTime at={on} />
      </Fact>
      {status !== null && <Fact name={text('webhooks.status')}>{status}</Fact>}
      <Fact name={text('webhooks.attempts')}>{attempts}</Fact>
      {duration_ms !== null && <Fact name={text('webhooks.took')}>{text('webhooks.ms', { count: duration_ms })}</Fact>}
      {error !== null && <Fact name={text('webhooks.error')}>{error}</Fact>}
    </dl>
  )
}

interface WholeProps {
  readonly webhook: number
  readonly delivery: number
  readonly onClose: () => void
}

/** The request and the response of a delivery. */
function WholeDelivery({ webhook, delivery, onClose }: WholeProps) {
  const { data, error, refetch } = useQuery(deliveryQuery(webhook, delivery))
  const again = async () => {
    const path = { id: webhook, delivery_id: delivery }
    const answer = await api.call('POST /webhooks/{id}/deliveries/{delivery_id}/redeliver', { path })
    showToast(answer.ok ? text('webhooks.redelivered') : refusalText(answer), { isTrouble: !answer.ok })
    if (answer.ok) onClose()
    await queryClient.invalidateQueries({ queryKey: ['webhooks', webhook] })
  }
  const replay = async (after: string) => {
    const answer = await api.call('POST /webhooks/{id}/replay', { path: { id: webhook }, body: { after } })
    const done = (count: number) => text('webhooks.replayed', { count })
    showToast(answer.ok ? done(answer.body.events) : refusalText(answer), { isTrouble: !answer.ok })
    if (answer.ok) onClose()
    await queryClient.invalidateQueries({ queryKey: ['webhooks', webhook] })
  }
  return (
    <Dialog title={text('webhooks.delivery', { id: delivery })} isWide onClose={onClose}>
      {error && !data && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && (
        <>
          <div>
            <span className={rows['title']}>
              {data.event} <State delivery={data} />
            </span>
            <Facts delivery={data} />
          </div>
          <Exchange
            title={text('webhooks.request')}
            headers={data.request?.headers ?? null}
            body={data.request?.body ?? null}
          />
          {(data.body_withheld || data.body_cut) && <p>{text('webhooks.body_cut')}</p>}
          <Exchange
            title={text('webhooks.answer')}
            headers={data.answer?.headers ?? null}
            body={data.answer?.body ?? null}
          />
        </>
      )}
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('close')}
        </Button>
        {data && <Button onPress={() => void replay(data.event_id)}>{text('webhooks.replay')}</Button>}
        <Button kind="primary" isDisabled={!data} onPress={() => void again()}>
          {text('webhooks.redeliver')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface ExchangeProps {
  readonly title: string
  readonly headers: Record<string, unknown> | null
  readonly body: string | null
}

function Exchange({ title, headers, body }: ExchangeProps) {
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${String(value)}`)
  const whole = [lines.join('\n'), pretty(body ?? '')].filter((part) => part !== '').join('\n\n')
  return (
    <section className={styles['exchange']}>
      <h3>{title}</h3>
      {whole === '' ? (
        <p>{text('webhooks.nothing_kept')}</p>
      ) : (
        <pre tabIndex={0} aria-label={title}>
          {whole}
        </pre>
      )}
    </section>
  )
}

/** Indents JSON, also if it is a form field. */
function pretty(body: string): string {
  const written = body.startsWith('payload=') ? (new URLSearchParams(body).get('payload') ?? body) : body
  try {
    return JSON.stringify(JSON.parse(written), undefined, 2)
  } catch {
    return body
  }
}

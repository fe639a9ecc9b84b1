import type { Failure } from '@waypost/sdk/answer'
import { type FormEvent, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Copyable } from '../design/api-snippets.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { ChoiceInput, ChoiceGroup, RadioGroup, TextField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { text } from './messages.ts'
import styles from '../tracker-administration/form.module.css'
import { INITIAL_WEBHOOK_EVENTS, refreshWebhooks, WEBHOOK_EVENTS, type WebhookParent } from './webhook-queries.ts'

interface DialogProps {
  readonly home: WebhookParent
  readonly onClose: () => void
}

export function NewWebhookDialog({ home, onClose }: DialogProps) {
  const [secret, setSecret] = useState<string>()
  const isMade = secret !== undefined
  // The secret is shown only once: no outside click or Escape may close the dialog.
  return (
    <Dialog title={text(isMade ? 'webhooks.made' : 'webhooks.add')} isDismissable={!isMade} onClose={onClose}>
      {isMade ? (
        <Secret value={secret} onClose={onClose} />
      ) : (
        <HookForm home={home} onMade={setSecret} onClose={onClose} />
      )}
    </Dialog>
  )
}

const FORMATS = ['json', 'form'] as const

interface FormProps extends DialogProps {
  readonly onMade: (secret: string) => void
}

function HookForm({ home, onMade, onClose }: FormProps) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState(INITIAL_WEBHOOK_EVENTS[home.kind])
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('json')
  const [ordered, setOrdered] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const body = { url, events: [...events], format, ordered }
    const path = { id: home.id }
    const answer =
      home.kind === 'tracker'
        ? await api.call('POST /trackers/{id}/webhooks', { path, body })
        : await api.call('POST /projects/{id}/webhooks', { path, body })
    setBusy(false)
    if (!answer.ok) {
      setFailure(answer)
      return
    }
    onMade(answer.body.secret)
    await refreshWebhooks(home)
  }
  const at = (path: string) => (failure?.details.path?.startsWith(path) === true ? refusalText(failure) : undefined)
  const isElsewhere = failure && at('url') === undefined && at('events') === undefined
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)}>
      {isElsewhere && <p role="alert">{refusalText(failure)}</p>}
      <TextField
        label={text('webhooks.url')}
        hint={text('webhooks.url.hint')}
        type="url"
        value={url}
        required
        maxLength={2048}
        autoFocus
        error={at('url')}
        onChange={({ target }) => setUrl(target.value)}
      />
      <ChoiceGroup label={text('webhooks.events')} error={at('events')}>
        {WEBHOOK_EVENTS[home.kind].map((name) => (
          <ChoiceInput
            key={name}
            label={text(`webhooks.event.${name}`)}
            checked={events.includes(name)}
            onChange={({ target }) =>
              setEvents(target.checked ? [...events, name] : events.filter((each) => each !== name))
            }
          />
        ))}
      </ChoiceGroup>
      <RadioGroup
        label={text('webhooks.format')}
        name="format"
        values={FORMATS}
        chosen={format}
        labelOf={(value) => text(`webhooks.format.${value}`)}
        hintOf={(value) => text(`webhooks.format.${value}.hint`)}
        onChoose={setFormat}
      />
      <ChoiceInput
        label={text('webhooks.ordered')}
        hint={text('webhooks.ordered.hint')}
        checked={ordered}
        onChange={({ target }) => setOrdered(target.checked)}
      />
      <DialogActions>
        <Button onPress={onClose}>{text('cancel')}</Button>
        <Button kind="primary" type="submit" isDisabled={events.length === 0} isBusy={isBusy}>
          {text('webhooks.add')}
        </Button>
      </DialogActions>
    </form>
  )
}

/** The old secret keeps signing for one more day, so that receivers can switch. */
export function NewSecret({ webhook, url, onClose }: { webhook: number; url: string; onClose: () => void }) {
  const [secret, setSecret] = useState<string>()
  const [failure, setFailure] = useState<Failure>()
  const renew = async () => {
    const answer = await api.call('PUT /webhooks/{id}/secret', { path: { id: webhook } })
    if (answer.ok) setSecret(answer.body.secret)
    else setFailure(answer)
  }
  return (
    <Dialog
      title={text('webhooks.secret_title')}
      isQuestion={secret === undefined}
      isDismissable={secret === undefined}
      onClose={onClose}
    >
      {secret === undefined ? (
        <>
          <p className={styles['quiet']}>{url}</p>
          {failure ? <p role="alert">{refusalText(failure)}</p> : <p>{text('webhooks.secret_lead')}</p>}
          <DialogActions>
            <Button onPress={onClose} autoFocus>
              {text('cancel')}
            </Button>
            <Button kind="primary" onPress={() => void renew()}>
              {text('webhooks.secret')}
            </Button>
          </DialogActions>
        </>
      ) : (
        <Secret value={secret} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Secret({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <>
      <p>{text('webhooks.once')}</p>
      <Copyable value={value} label={text('webhooks.secret_value')} autoFocus />
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {text('keys.stored')}
        </Button>
      </DialogActions>
    </>
  )
}

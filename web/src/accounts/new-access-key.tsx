import type { Failure } from '@waypost/sdk/answer'
import { type FormEvent, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Copyable } from '../design/api-snippets.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { ChoiceInput, ChoiceGroup, TextField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { text } from './messages.ts'
import { accessKeysQuery } from './access-keys-query.ts'
import { formValue } from './auth-layout.tsx'
import styles from './door.module.css'

const SCOPES = [
  { identifier: 'write:rest', label: 'scope.write_rest', hint: 'scope.write_rest.hint' },
  { identifier: 'read:rest', label: 'scope.read_rest', hint: 'scope.read_rest.hint' },
  { identifier: 'write:account', label: 'scope.write_account', hint: 'scope.write_account.hint' },
  { identifier: 'read:svn', label: 'scope.read_svn', hint: 'scope.read_svn.hint' },
  { identifier: 'write:svn', label: 'scope.write_svn', hint: 'scope.write_svn.hint' },
] as const

export function NewAccessKey({ onClose }: { onClose: () => void }) {
  const [value, setValue] = useState<string>()
  const isMade = value !== undefined
  // The key is shown only once: no outside click or Escape may close the dialog.
  return (
    <Dialog title={text(isMade ? 'keys.made' : 'keys.new')} isDismissable={!isMade} onClose={onClose}>
      {isMade ? <KeyValue value={value} onClose={onClose} /> : <KeyForm onMade={setValue} onClose={onClose} />}
    </Dialog>
  )
}

function KeyForm({ onMade, onClose }: { onMade: (value: string) => void; onClose: () => void }) {
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (form: HTMLFormElement) => {
    const values = new FormData(form)
    const day = formValue(values, 'expires')
    const scopes = SCOPES.map(({ identifier }) => identifier).filter((scope) => values.has(scope))
    setBusy(true)
    const answer = await api.call('POST /access_keys', {
      body: { description: formValue(values, 'description'), expiration_date: day === '' ? null : endOf(day), scopes },
    })
    setBusy(false)
    await queryClient.invalidateQueries(accessKeysQuery)
    if (answer.ok) onMade(answer.body.identifier)
    else setFailure(answer)
  }
  const at = (path: string) => (failure?.details.path?.startsWith(path) === true ? refusalText(failure) : undefined)
  const isElsewhere =
    failure && at('description') === undefined && at('expiration_date') === undefined && at('scopes') === undefined
  return (
    <form
      className={styles['form']}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      <p className={styles['problem']} role="alert">
        {isElsewhere && refusalText(failure)}
      </p>
      <TextField
        label={text('keys.description')}
        hint={text('keys.description.hint')}
        name="description"
        maxLength={255}
        error={at('description')}
        autoFocus
      />
      <TextField
        label={text('keys.expires_on')}
        hint={text('keys.expires_on.hint')}
        name="expires"
        type="date"
        error={at('expiration_date')}
      />
      <ChoiceGroup label={text('keys.scopes')} error={at('scopes')}>
        {SCOPES.map(({ identifier, label, hint }) => (
          <ChoiceInput
            key={identifier}
            name={identifier}
            label={text(label)}
            hint={text(hint)}
            defaultChecked={identifier === 'write:rest'}
          />
        ))}
      </ChoiceGroup>
      <DialogActions>
        <Button onPress={onClose}>{text('cancel')}</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {text('keys.generate')}
        </Button>
      </DialogActions>
    </form>
  )
}

function KeyValue({ value, onClose }: { value: string; onClose: () => void }) {
  const call = `curl -H "X-Auth-AccessKey: ${value}" '${location.origin}/api/users/self'`
  return (
    <>
      <p>{text('keys.once')}</p>
      <Copyable value={value} label={text('keys.value')} autoFocus />
      <p className={styles['quiet']}>{text('keys.try')}</p>
      <Copyable value={call} label={text('api_call.label')} />
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {text('keys.stored')}
        </Button>
      </DialogActions>
    </>
  )
}

/** The last second of the day, in the time zone of the browser. */
function endOf(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString()
}

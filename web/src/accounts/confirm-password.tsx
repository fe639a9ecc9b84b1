import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../api.ts'
import { Button, buttonClass } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { TextField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { text } from '../messages/text.ts'
import { settleConfirmation } from './confirmation.ts'
import { formValue } from './auth-layout.tsx'
import styles from './door.module.css'
import { text as identityText } from './identity-messages.ts'
import { providerHref, signInOptionsQuery } from './sign-in-options.ts'

/** Asks for the password after a sensitive change was refused for lack of confirmation, then repeats the change. */
export function ConfirmPassword() {
  return (
    <Dialog title={text('confirmation.title')} onClose={() => settleConfirmation(false)}>
      <ProviderConfirmation />
      <PasswordForm />
    </Dialog>
  )
}

/** Providers ask again who sits there, and lead back to this page. Input that is not stored has to be entered again. */
function ProviderConfirmation() {
  const { data: options } = useQuery(signInOptionsQuery)
  const back = `${location.pathname}${location.search}`
  return (
    <ul className={styles['providers']}>
      {options?.providers.map((provider) => (
        <li key={provider.name}>
          <a className={buttonClass()} href={providerHref(provider, back, true)}>
            {identityText('confirmation.by_provider', { provider: provider.label })}
          </a>
        </li>
      ))}
    </ul>
  )
}

function PasswordForm() {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (form: HTMLFormElement) => {
    setBusy(true)
    const body = { password: formValue(new FormData(form), 'confirmed-password') }
    const answer = await api.call('POST /session/confirmation', { body })
    setBusy(false)
    if (answer.ok) settleConfirmation(true)
    else setProblem(answer.details.cause === 'password_wrong' ? text('confirmation.wrong') : refusalText(answer))
  }
  return (
    <form
      className={styles['form']}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      <p>{text('confirmation.lead')}</p>
      <TextField
        label={text('confirmation.password')}
        name="confirmed-password"
        type="password"
        autoComplete="current-password"
        error={problem}
        required
        autoFocus
      />
      <DialogActions>
        <Button onPress={() => settleConfirmation(false)}>{text('cancel')}</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {text('confirmation.confirm')}
        </Button>
      </DialogActions>
    </form>
  )
}

import { useNavigate } from '@tanstack/react-router'
import type { Failure } from '@waypost/sdk/answer'
import { type FormEvent, useState } from 'react'
import { FormProblem } from '../design/problem.tsx'
import { formValue } from '../accounts/auth-layout.tsx'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { TextField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import styles from './administration.module.css'

/** Creates an account. Its owner gets a mail with a link to set the password. */
export function NewUser({ onClose }: { onClose: () => void }) {
  const [failure, setFailure] = useState<Failure>()
  const navigate = useNavigate()
  const submit = async (values: FormData) => {
    const [username = '', real_name = '', email = ''] = ['username', 'real_name', 'email'].map((name) =>
      formValue(values, name).trim(),
    )
    const answer = await api.call('POST /users', { body: { username, real_name, email, invite: true } })
    if (!answer.ok) return setFailure(answer)
    onClose()
    showToast(text('users.made', { email }))
    await navigate({ to: '/administration/users/$id', params: { id: String(answer.body.id) } })
  }
  const at = (name: string) => (failure?.details.path === name ? refusalText(failure) : undefined)
  const isElsewhere = failure && !['username', 'real_name', 'email'].includes(failure.details.path ?? '')
  return (
    <Dialog title={text('users.new')} onClose={onClose}>
      <form
        className={styles['form']}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <p>{text('users.new.lead')}</p>
        <TextField
          label={text('users.login')}
          hint={text('users.login.hint')}
          name="username"
          autoComplete="off"
          error={at('username')}
          autoFocus
          required
        />
        <TextField label={text('users.name')} name="real_name" autoComplete="off" error={at('real_name')} required />
        <TextField
          label={text('users.email')}
          name="email"
          type="email"
          autoComplete="off"
          error={at('email')}
          required
        />
        <FormProblem>{isElsewhere && refusalText(failure)}</FormProblem>
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text('users.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

import { Link } from '@tanstack/react-router'
import type { Failure } from '@waypost/sdk/answer'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { hasProblemAt, problemReason } from '../design/form-problems.ts'
import { refusalText } from '../design/refusal.tsx'
import { AuthForm, AuthLayout, formValue } from './auth-layout.tsx'
import styles from './door.module.css'
import { text } from './messages.ts'

const INPUTS = ['username', 'real_name', 'email', 'password']

/** Asks for an account. The answer never tells whether a login or an address is taken; only the mail does. */
export function RegisterPage() {
  const [failure, setFailure] = useState<Failure>()
  const [isDone, setDone] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const submit = async (values: FormData) => {
    setBusy(true)
    const [username = '', real_name = '', email = ''] = INPUTS.map((name) => formValue(values, name).trim())
    const body = { username, real_name, email, password: formValue(values, 'password') }
    const answer = await api.call('POST /registrations', { body })
    setBusy(false)
    setDone(answer.ok)
    setFailure(answer.ok ? undefined : answer)
  }
  const at = (name: string) => (failure && problemReason(failure, name) ? refusalText(failure) : undefined)
  const isClosed = failure?.status === 404
  const isElsewhere = failure && !hasProblemAt(failure, INPUTS)
  return (
    <AuthLayout title={text('register.title')}>
      {isDone || isClosed ? (
        <p role="status">{text(isDone ? 'register.done' : 'register.closed')}</p>
      ) : (
        <AuthForm problem={isElsewhere ? refusalText(failure) : undefined} onSubmit={submit}>
          <p>{text('register.lead')}</p>
          <TextField
            label={text('invitation.login')}
            hint={text('invitation.login.hint')}
            name="username"
            autoComplete="username"
            error={at('username')}
            autoFocus
            required
          />
          <TextField
            label={text('invitation.name')}
            name="real_name"
            autoComplete="name"
            error={at('real_name')}
            required
          />
          <TextField
            label={text('register.email')}
            name="email"
            type="email"
            autoComplete="email"
            error={at('email')}
            required
          />
          <TextField
            label={text('sign_in.password')}
            hint={text('password.hint')}
            name="password"
            type="password"
            autoComplete="new-password"
            error={at('password')}
            required
          />
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {text('register.send')}
          </Button>
        </AuthForm>
      )}
      <p className={styles['quiet']}>
        <Link to="/sign-in" search={{}}>
          {text('invitation.sign_in')}
        </Link>
      </p>
    </AuthLayout>
  )
}

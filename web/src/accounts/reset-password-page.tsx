import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, failureOf, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { text } from './messages.ts'
import { AuthLayout, AuthForm, formValue } from './auth-layout.tsx'
import styles from './door.module.css'
import { useMailedSecret } from './mailed-secret.ts'

/** Not cached: the link is a secret. */
const resetQuery = (token: string) =>
  queryOptions({
    queryKey: ['password_reset', token],
    gcTime: 0,
    queryFn: () => read(api.call('GET /password_resets/{token}', { path: { token } })),
  })

/** Requests a reset link by mail; opened by that link, accepts the new password. */
export function ResetPasswordPage() {
  const token = useMailedSecret()
  const [problem, setProblem] = useState<string>()
  const [isDone, setDone] = useState(false)
  const { error } = useQuery({ ...resetQuery(token), enabled: token !== '' && !isDone })
  const isOver = failureOf(error)?.status === 404
  const isLink = token !== '' && !isOver

  const submit = async (values: FormData) => {
    const answer = isLink
      ? await api.call('PUT /password_resets/{token}', {
          path: { token },
          body: { new_password: formValue(values, 'new_password') },
        })
      : await api.call('POST /password_resets', { body: { login: formValue(values, 'login') } })
    setDone(answer.ok)
    const isUsed = !answer.ok && answer.status === 404
    setProblem(answer.ok ? undefined : isUsed ? text('reset.over') : refusalText(answer))
  }
  return (
    <AuthLayout title={text(isLink ? 'reset.set' : 'reset.title')}>
      {isDone ? (
        <p role="status">{text(isLink ? 'reset.done' : 'reset.sent')}</p>
      ) : (
        <AuthForm problem={problem ?? (isOver ? text('reset.over') : undefined)} onSubmit={submit}>
          {isLink ? (
            <TextField
              label={text('password.new')}
              hint={text('password.hint')}
              name="new_password"
              type="password"
              autoComplete="new-password"
              autoFocus
              required
            />
          ) : (
            <TextField
              label={text('sign_in.login')}
              hint={text('reset.hint')}
              name="login"
              autoComplete="username"
              autoFocus
              required
            />
          )}
          <Button kind="primary" type="submit">
            {text(isLink ? 'reset.save' : 'reset.send')}
          </Button>
        </AuthForm>
      )}
      <p className={styles['quiet']}>
        <Link to="/sign-in" search={{}}>
          {text('sign_in')}
        </Link>
      </p>
    </AuthLayout>
  )
}

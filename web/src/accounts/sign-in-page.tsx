import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { text } from '../messages/text.ts'
import { AuthLayout, AuthForm, formValue } from './auth-layout.tsx'
import styles from './door.module.css'
import { clearCaches, sessionQuery } from './session.ts'

const registrationQuery = queryOptions({
  queryKey: ['registrations'],
  queryFn: () => read(api.call('GET /registrations')),
})

/** Every wrong sign-in gets the same message, so that it reveals no accounts. */
export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const { data: site } = useQuery(registrationQuery)
  const mayRegister = site !== undefined && site.registration !== 'closed'
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [isExpired, setExpired] = useState(false)

  const enter = async (username: string, password: string) => {
    const answer = await api.call('POST /session', { body: { username, password } })
    if (answer.ok) {
      clearCaches()
      queryClient.setQueryData(sessionQuery.queryKey, answer.body)
      await navigate({ href: safeRedirectPath(next) })
      return
    }
    setExpired(answer.reason === 'password_expired')
    setProblem(answer.reason === 'credentials_invalid' ? text('sign_in.wrong') : refusalText(answer))
  }
  const submit = async (values: FormData) => {
    setBusy(true)
    const [username, password, new_password] = ['username', 'password', 'new_password'].map((name) =>
      formValue(values, name),
    )
    if (isExpired && new_password !== '') {
      const body = { username: username ?? '', current_password: password ?? '', new_password: new_password ?? '' }
      const changed = await api.call('PUT /users/self/password', { body })
      if (changed.ok) await enter(username ?? '', new_password ?? '')
      else setProblem(refusalText(changed))
    } else await enter(username ?? '', password ?? '')
    setBusy(false)
  }
  return (
    <AuthLayout title={text('sign_in')}>
      <AuthForm problem={problem} onSubmit={submit}>
        <TextField label={text('sign_in.login')} name="username" autoComplete="username" autoFocus required />
        <TextField
          label={text('sign_in.password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        {isExpired && (
          <TextField
            label={text('password.new')}
            hint={text('password.hint')}
            name="new_password"
            type="password"
            autoComplete="new-password"
            required
          />
        )}
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {text('sign_in')}
        </Button>
      </AuthForm>
      <p className={styles['quiet']}>
        <Link to="/account/reset">{text('reset.link')}</Link>
        {mayRegister && <Link to="/account/register">{text('register.link')}</Link>}
      </p>
    </AuthLayout>
  )
}

/** Accepts only a path of this origin, to prevent open redirects. */
function safeRedirectPath(next: unknown): string {
  const isOwn = typeof next === 'string' && /^\/(?![/\\])/.test(next) && URL.canParse(next, location.origin)
  return isOwn && new URL(next, location.origin).origin === location.origin ? next : '/'
}

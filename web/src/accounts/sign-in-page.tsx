import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { SignInOptions } from '@waypost/sdk/api'
import { useState } from 'react'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { FormProblem } from '../design/problem.tsx'
import { refusalText } from '../design/refusal.tsx'
import { AuthLayout, AuthForm, formValue } from './auth-layout.tsx'
import styles from './door.module.css'
import { isText, text } from './identity-messages.ts'
import { startSession } from './session.ts'
import { loadLastProvider, signInOptionsQuery, storeLastProvider } from './sign-in-options.ts'
import { SignInProviders } from './sign-in-providers.tsx'

const registrationQuery = queryOptions({
  queryKey: ['registrations'],
  queryFn: () => read(api.call('GET /registrations')),
})

/** Every wrong sign-in gets the same message, so that it reveals no accounts. */
export function SignInPage() {
  const { next, refused } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const { data: site } = useQuery(registrationQuery)
  const { data: options } = useQuery(signInOptionsQuery)
  const mayRegister = site !== undefined && site.registration !== 'closed'
  const [problem, setProblem] = useState(refusedText(refused))
  const [isBusy, setBusy] = useState(false)
  const [isExpired, setExpired] = useState(false)

  const enter = async (username: string, password: string) => {
    const answer = await api.call('POST /session', { body: { username, password } })
    if (answer.ok) {
      storeLastProvider(null)
      await startSession(answer.body)
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
  const hasProviders = options !== undefined && options.providers.length > 0
  const hasPassword = options?.password ?? true
  return (
    <AuthLayout title={text('sign_in')}>
      {hasProviders && !hasPassword && <FormProblem>{problem}</FormProblem>}
      {hasProviders && <SignInProviders options={options} returnTo={safeRedirectPath(next)} />}
      {!hasPassword && !hasProviders && <p>{text('sign_in.nothing')}</p>}
      {hasPassword && (
        <AuthForm problem={problem} onSubmit={submit}>
          <TextField label={text('sign_in.login')} name="username" autoComplete="username" autoFocus required />
          <TextField
            label={text('sign_in.password')}
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
          {isExpired && <NewPasswordField />}
          <Button kind={hasMainProvider(options) ? 'plain' : 'primary'} type="submit" isBusy={isBusy}>
            {text('sign_in')}
          </Button>
        </AuthForm>
      )}
      <p className={styles['quiet']}>
        {hasPassword && <Link to="/account/reset">{text('reset.link')}</Link>}
        {mayRegister && <Link to="/account/register">{text('register.link')}</Link>}
      </p>
    </AuthLayout>
  )
}

function NewPasswordField() {
  return (
    <TextField
      label={text('password.new')}
      hint={text('password.hint')}
      name="new_password"
      type="password"
      autoComplete="new-password"
      required
    />
  )
}

/** One button of a screen is the main one. */
function hasMainProvider(options: SignInOptions | undefined): boolean {
  return options?.providers.some(({ name }) => name === loadLastProvider()) === true
}

/** The reason why a sign-in by a provider was refused: a code of the server, never its text. */
function refusedText(code: string | undefined): string | undefined {
  const key = `sign_in.refused.${code}`
  return isText(key) ? text(key) : undefined
}

/** Accepts only a path of this origin, to prevent open redirects. */
function safeRedirectPath(next: unknown): string {
  const isOwn = typeof next === 'string' && /^\/(?![/\\])/.test(next) && URL.canParse(next, location.origin)
  return isOwn && new URL(next, location.origin).origin === location.origin ? next : '/'
}

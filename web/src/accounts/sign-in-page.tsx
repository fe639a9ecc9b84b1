import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { ownPath } from '../shell/own-path.ts'
import { text } from '../words/text.ts'
import { Door, DoorForm, valueIn } from './door.tsx'
import styles from './door.module.css'
import { forgetEverything, sessionQuery } from './session.ts'

/** Whoever has no account learns nothing here: every wrong sign-in is answered alike. */
export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [isExpired, setExpired] = useState(false)

  const enter = async (username: string, password: string) => {
    const answer = await api.call('POST /session', { body: { username, password } })
    if (answer.ok) {
      forgetEverything()
      queryClient.setQueryData(sessionQuery.queryKey, answer.body)
      await navigate({ href: ownPath(next) })
      return
    }
    setExpired(answer.reason === 'password_expired')
    setProblem(answer.reason === 'credentials_invalid' ? text('sign_in.wrong') : refusalText(answer))
  }
  const submit = async (values: FormData) => {
    setBusy(true)
    const [username, password, new_password] = ['username', 'password', 'new_password'].map((name) =>
      valueIn(values, name),
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
    <Door title={text('sign_in')}>
      <DoorForm problem={problem} onSubmit={submit}>
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
      </DoorForm>
      <p className={styles['quiet']}>
        <Link to="/account/reset">{text('reset.link')}</Link>
      </p>
    </Door>
  )
}

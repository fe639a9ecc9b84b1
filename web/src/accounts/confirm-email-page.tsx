import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { refusalText } from '../design/refusal.tsx'
import { text } from './messages.ts'
import { AuthLayout, AuthForm } from './auth-layout.tsx'
import { useMailedSecret } from './mailed-secret.ts'

/** Waits for the button: mail scanners open links before people do. */
export function ConfirmEmailPage() {
  const token = useMailedSecret()
  const [problem, setProblem] = useState<string>()
  const [isDone, setDone] = useState(false)

  const confirm = async () => {
    const answer = await api.call('PUT /email_verifications/{token}', { path: { token } })
    setDone(answer.ok)
    setProblem(answer.ok ? undefined : answer.status === 404 ? text('reset.over') : refusalText(answer))
  }
  return (
    <AuthLayout title={text('email.title')}>
      {isDone ? (
        <p role="status">{text('email.done')}</p>
      ) : (
        <AuthForm problem={problem} onSubmit={confirm}>
          <p>{text('email.lead')}</p>
          <Button kind="primary" type="submit">
            {text('email.confirm')}
          </Button>
        </AuthForm>
      )}
      <p>
        <a href="/">{text('nav.home')}</a>
      </p>
    </AuthLayout>
  )
}

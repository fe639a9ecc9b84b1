import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { refusalText } from '../design/refusal.tsx'
import { text } from '../words/text.ts'
import { Door, DoorForm } from './door.tsx'
import { useMailedSecret } from './mailed-secret.ts'

/** Nothing happens until the button is pressed: programs open mailed links before people do. */
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
    <Door title={text('email.title')}>
      {isDone ? (
        <p role="status">{text('email.done')}</p>
      ) : (
        <DoorForm problem={problem} onSubmit={confirm}>
          <p>{text('email.lead')}</p>
          <Button kind="primary" type="submit">
            {text('email.confirm')}
          </Button>
        </DoorForm>
      )}
      <p>
        <a href="/">{text('nav.home')}</a>
      </p>
    </Door>
  )
}

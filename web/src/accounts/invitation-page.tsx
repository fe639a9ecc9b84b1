import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Failure } from '@waypost/sdk/answer'
import { useState } from 'react'
import { api, failureOf, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { Loading } from '../design/page.tsx'
import { refusalText } from '../design/refusal.tsx'
import { text } from './messages.ts'
import { AuthLayout, AuthForm, formValue } from './auth-layout.tsx'
import styles from './door.module.css'
import { useMailedSecret } from './mailed-secret.ts'
import { startSession } from './session.ts'

/** Not cached: the link is a secret. */
const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    gcTime: 0,
    queryFn: () => read(api.call('GET /invitations/{token}', { path: { token } })),
  })

/** Opened by a mailed link: creates the account, signs in, and opens the project of the invitation. */
export function InvitationPage() {
  const token = useMailedSecret()
  const { data: invitation, error, refetch } = useQuery({ ...invitationQuery(token), enabled: token !== '' })
  const isOver = token === '' || failureOf(error)?.status === 404
  return (
    <AuthLayout title={text('invitation.title')}>
      {isOver && <p role="status">{text('invitation.over')}</p>}
      {error && !isOver && (
        <>
          <p role="alert">{problemOf(error)}</p>
          <Button onPress={() => void refetch()}>{text('try_again')}</Button>
        </>
      )}
      {!invitation && !error && !isOver && <Loading />}
      {invitation && <NewAccount token={token} email={invitation.email} project={invitation.project} />}
      <p className={styles['quiet']}>
        <Link to="/sign-in" search={{}}>
          {text('invitation.sign_in')}
        </Link>
      </p>
    </AuthLayout>
  )
}

interface Props {
  readonly token: string
  readonly email: string
  readonly project: { readonly label_without_icon: string; readonly shortname: string } | null
}

function NewAccount({ token, email, project }: Props) {
  const [failure, setFailure] = useState<Failure>()
  const navigate = useNavigate()
  const submit = async (values: FormData) => {
    const body = {
      username: formValue(values, 'username').trim(),
      real_name: formValue(values, 'real_name').trim(),
      password: formValue(values, 'password'),
    }
    const answer = await api.call('PUT /invitations/{token}', { path: { token }, body })
    if (!answer.ok) return setFailure(answer)
    await startSession(answer.body)
    if (project) await navigate({ to: '/projects/$shortname', params: { shortname: project.shortname } })
    else await navigate({ to: '/' })
  }
  const at = (name: string) => (failure?.details.path === name ? refusalText(failure) : undefined)
  const isElsewhere = failure && !['username', 'real_name', 'password'].includes(failure.details.path ?? '')
  const isOver = failure?.status === 404
  return (
    <AuthForm
      problem={isElsewhere ? (isOver ? text('invitation.over') : refusalText(failure)) : undefined}
      onSubmit={submit}
    >
      <p>
        {project
          ? text('invitation.project', { email, project: project.label_without_icon })
          : text('invitation.lead', { email })}
      </p>
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
        label={text('sign_in.password')}
        hint={text('password.hint')}
        name="password"
        type="password"
        autoComplete="new-password"
        error={at('password')}
        required
      />
      <Button kind="primary" type="submit">
        {text('invitation.accept')}
      </Button>
    </AuthForm>
  )
}

function problemOf(error: unknown): string {
  const failure = failureOf(error)
  return failure ? refusalText(failure) : text('refusal.unknown')
}

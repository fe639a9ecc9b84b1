import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Session } from '@waypost/sdk/api'
import { type FormEvent, useState } from 'react'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { Fact } from '../design/fact.tsx'
import { TextField } from '../design/field.tsx'
import { Day, RelativeTime } from '../design/relative-time.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice, refusalText } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import { formValue } from './auth-layout.tsx'
import styles from './security-page.module.css'
import { showRefusal } from '../shell/show-refusal.ts'

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => read(api.call('GET /users/self/sessions')),
})

export function SecurityPage() {
  return (
    <PageLayout title={text('security.title')} lead={text('security.lead')}>
      <PasswordForm />
      <Sessions />
      <ApiCall path="/users/self/sessions" />
    </PageLayout>
  )
}

function PasswordForm() {
  const [problem, setProblem] = useState<string>()
  const submit = async (form: HTMLFormElement) => {
    const values = new FormData(form)
    const body = { current_password: formValue(values, 'current'), new_password: formValue(values, 'new') }
    const answer = await api.call('PUT /users/self/password', { body })
    setProblem(answer.ok ? undefined : refusalText(answer))
    if (!answer.ok) return
    form.reset()
    showToast(text('password.changed'))
    await queryClient.invalidateQueries(sessionsQuery)
  }
  return (
    <Panel title={text('password.title')} lead={text('password.lead')}>
      <form
        className={styles['form']}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        <TextField
          label={text('password.current')}
          name="current"
          type="password"
          autoComplete="current-password"
          error={problem}
          required
        />
        <TextField
          label={text('password.new')}
          hint={text('password.hint')}
          name="new"
          type="password"
          autoComplete="new-password"
          required
        />
        <Button type="submit">{text('password.change')}</Button>
      </form>
    </Panel>
  )
}

function Sessions() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const end = async (session?: Session) => {
    const answer = session
      ? await api.call('DELETE /users/self/sessions/{id}', { path: { id: session.id } })
      : await api.call('DELETE /users/self/sessions')
    if (answer.ok) showToast(text(session ? 'sessions.ended' : 'sessions.all_ended'))
    else showRefusal(answer)
    await queryClient.invalidateQueries(sessionsQuery)
  }
  if (error && !sessions) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  const hasOthers = sessions !== undefined && sessions.length > 1
  const all = hasOthers && (
    <Button kind="danger" onPress={() => void end()}>
      {text('sessions.end_all')}
    </Button>
  )
  return (
    <Panel title={text('sessions.title')} count={sessions?.length} lead={text('sessions.lead')} actions={all} isList>
      {!sessions && <Loading />}
      <ul className={rows['rows']}>
        {sessions?.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => void end(session)} />
        ))}
      </ul>
    </Panel>
  )
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { agent, address, created_on, last_used_on, is_current } = session
  const name = agent ?? text('sessions.unknown')
  return (
    <li>
      <div>
        <div className={rows['title']}>
          <span>{name}</span>
          {is_current && <span className={`${rows['tag']} ${rows['here']}`}>{text('sessions.here')}</span>}
        </div>
        <dl className={rows['facts']}>
          <Fact name={text('sessions.last_used')}>
            <RelativeTime at={last_used_on} />
            {address !== null && ` ${text('keys.from', { address })}`}
          </Fact>
          <Fact name={text('sessions.since')}>
            <Day at={created_on} />
          </Fact>
        </dl>
      </div>
      {!is_current && (
        <Button aria-label={text('sessions.end_what', { name })} onPress={onEnd}>
          {text('sessions.end')}
        </Button>
      )}
    </li>
  )
}

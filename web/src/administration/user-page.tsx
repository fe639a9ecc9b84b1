import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { User, UserChanges } from '@waypost/sdk/api'
import { type FormEvent, useEffect, useState } from 'react'
import { formValue } from '../accounts/auth-layout.tsx'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Fact } from '../design/fact.tsx'
import { ChoiceInput, RadioGroup, TextField } from '../design/field.tsx'
import { Empty, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice, refusalText } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import styles from './administration.module.css'
import { showRefusal } from '../shell/show-refusal.ts'

const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['administration', 'user', id],
    queryFn: () => read(api.call('GET /users/{id}', { path: { id } })),
  })

/** One account, and the actions of an administrator on it. */
export function UserPage() {
  const { id } = useParams({ from: '/shell/own/administration/users/$id' })
  const { data: user, error, refetch } = useQuery(userQuery(Number(id)))
  return (
    <PageLayout title={user?.display_name ?? text('users.title')}>
      {error && !user && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!user && !error && (
        <Panel title={text('user.account')} isList>
          <Loading />
        </Panel>
      )}
      {user && user.id !== null && <Account user={user} id={user.id} />}
      <ApiCall path={`/users/${id}`} />
    </PageLayout>
  )
}

const STATUSES = ['A', 'R', 'S'] as const

function Account({ user, id }: { user: User; id: number }) {
  const { username, real_name, email, pending_email, status, is_site_admin = false, time_zone } = user
  const change = (changes: UserChanges, earlier?: UserChanges) => void save(id, changes, earlier)
  const isWaiting = status === 'P' || status === 'V' || status === 'W'
  const shown = STATUSES.find((each) => each === status)
  return (
    <>
      <Panel title={text('user.account')}>
        <dl className={styles['facts']}>
          <Fact name={text('users.login')}>{username}</Fact>
          <Fact name={text('users.name')}>{real_name}</Fact>
          <Fact name={text('users.email')}>{email ?? '–'}</Fact>
          {typeof pending_email === 'string' && <Fact name={text('user.pending')}>{pending_email}</Fact>}
          <Fact name={text('zone.title')}>{time_zone ?? text('zone.platform')}</Fact>
        </dl>
      </Panel>
      {status === 'D' ? (
        <Panel title={text('user.status')} isList>
          <Empty>{text('user.deleted')}</Empty>
        </Panel>
      ) : (
        <>
          <Panel title={text('user.status')} lead={text('user.status.lead')}>
            {isWaiting && (
              <div>
                <p>{text('user.waiting')}</p>
                <Button kind="primary" onPress={() => change({ status: 'A' })}>
                  {text('user.approve')}
                </Button>
              </div>
            )}
            {shown !== undefined && (
              <StatusForm stored={shown} onChange={(next) => change({ status: next }, { status: shown })} />
            )}
            <ChoiceInput
              label={text('users.admin')}
              hint={text('user.admin.hint')}
              checked={is_site_admin}
              onChange={({ target }) => change({ is_site_admin: target.checked }, { is_site_admin })}
            />
          </Panel>
          <PasswordReset id={id} />
          <Groups id={id} />
          <Erasure id={id} username={username ?? ''} />
        </>
      )}
    </>
  )
}

type Status = (typeof STATUSES)[number]

/** Applied only by the button: arrow keys select every option in turn, and suspending an account ends its sessions. */
function StatusForm({ stored, onChange }: { stored: Status; onChange: (status: Status) => void }) {
  const [chosen, setChosen] = useState(stored)
  useEffect(() => setChosen(stored), [stored])
  return (
    <form
      className={styles['form']}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        onChange(chosen)
      }}
    >
      <RadioGroup
        label={text('user.may')}
        name="status"
        values={STATUSES}
        chosen={chosen}
        labelOf={(each) => text(`status.${each}`)}
        hintOf={(each) => text(`status.${each}.hint`)}
        onChoose={setChosen}
      />
      <div>
        <Button type="submit" isDisabled={chosen === stored}>
          {text('user.status.change')}
        </Button>
      </div>
    </form>
  )
}

/** An optimistic update, rolled back if the server refuses it. */
async function save(id: number, changes: UserChanges, earlier?: UserChanges): Promise<void> {
  const { password_reset: _, ...shown } = changes
  queryClient.setQueryData(userQuery(id).queryKey, (user) => user && { ...user, ...shown })
  const answer = await api.call('PATCH /users/{id}', { path: { id }, body: { values: changes } })
  if (!answer.ok) showRefusal(answer)
  else if (changes.password_reset) showToast(text('user.reset.sent'))
  else showToast(text('saved'), earlier ? { undo: () => void save(id, earlier) } : {})
  await queryClient.invalidateQueries(userQuery(id))
}

function PasswordReset({ id }: { id: number }) {
  return (
    <Panel title={text('password.title')} lead={text('user.reset.lead')}>
      <div>
        <Button onPress={() => void save(id, { password_reset: true })}>{text('user.reset')}</Button>
      </div>
    </Panel>
  )
}

function Groups({ id }: { id: number }) {
  const { data: groups } = useQuery({
    queryKey: ['administration', 'user', id, 'groups'],
    queryFn: () =>
      read(api.call('GET /users/{id}/membership', { path: { id }, query: { scope: 'project', format: 'full' } })),
  })
  return (
    <Panel title={text('user.groups')} count={groups?.length} isList>
      {!groups && <Loading />}
      {groups?.length === 0 && <Empty>{text('user.groups.none')}</Empty>}
      <ul className={rows['rows']}>
        {groups?.map((group) =>
          typeof group === 'string' || group.project === null ? null : (
            <li key={group.id}>
              <p className={rows['title']}>
                <Link to="/projects/$shortname" params={{ shortname: group.project.shortname }}>
                  {group.project.label_without_icon}
                </Link>
              </p>
              <p className={rows['facts']}>{group.label}</p>
            </li>
          ),
        )}
      </ul>
    </Panel>
  )
}

function Erasure({ id, username }: { id: number; username: string }) {
  const [isAsked, setAsked] = useState(false)
  const [problem, setProblem] = useState<string>()
  const navigate = useNavigate()
  const close = () => setAsked(false)
  const erase = async (confirm: string) => {
    const answer = await api.call('DELETE /users/{id}', { path: { id }, body: { confirm } })
    if (!answer.ok) return setProblem(refusalText(answer))
    close()
    showToast(text('user.erased'))
    await queryClient.invalidateQueries({ queryKey: ['administration'] })
    await navigate({ to: '/administration/users', search: {} })
  }
  return (
    <Panel title={text('user.erase.title')} lead={text('user.erase.lead')}>
      <div>
        <Button kind="danger" onPress={() => setAsked(true)}>
          {text('user.erase')}
        </Button>
      </div>
      {isAsked && (
        <Dialog title={text('user.erase.question', { username })} isQuestion onClose={close}>
          <form
            className={styles['form']}
            onSubmit={(event: FormEvent<HTMLFormElement>) => {
              event.preventDefault()
              void erase(formValue(new FormData(event.currentTarget), 'confirm').trim())
            }}
          >
            <p>{text('user.erase.what')}</p>
            <TextField
              label={text('user.erase.confirm', { username })}
              name="confirm"
              autoComplete="off"
              error={problem}
              autoFocus
              required
            />
            <DialogActions>
              <Button onPress={close}>{text('cancel')}</Button>
              <Button kind="danger" type="submit">
                {text('user.erase')}
              </Button>
            </DialogActions>
          </form>
        </Dialog>
      )}
    </Panel>
  )
}

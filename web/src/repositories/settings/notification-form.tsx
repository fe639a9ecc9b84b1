import { queryOptions, useQuery } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import type { CommitNotification } from '@waypost/sdk/api'
import { type FormEvent, useState } from 'react'
import { Problem } from '../../design/problem.tsx'
import { valueIn } from '../../accounts/door.tsx'
import { api, read } from '../../api.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Choice, ChoiceGroup, LongTextField, TextField } from '../../design/field.tsx'
import { refusalText } from '../../design/refusal.tsx'
import { text } from '../words.ts'
import { useRepository } from '../use-repository.ts'
import { entriesIn, notificationToWrite, saveSettings } from './save-settings.ts'
import styles from './settings.module.css'

/** Members, administrators and the project's own groups: those that may be told. */
const groupsQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'groups'],
    queryFn: async () => {
      const groups = await read(api.call('GET /projects/{id}/user_groups', { path: { id: project } }))
      return groups.filter(({ id }) => !id.includes('_') || /_[34]$/.test(id))
    },
  })

interface Props {
  /** Undefined: a new one. */
  readonly edited: CommitNotification | undefined
  readonly others: readonly CommitNotification[]
  readonly onClose: () => void
}

export function NotificationForm({ edited, others, onClose }: Props) {
  const { id, project } = useRepository()
  const { data: groups = edited?.user_groups ?? [] } = useQuery(groupsQuery(project.id))
  const [problem, setProblem] = useState<string>()
  const submit = async (values: FormData) => {
    const logins = valueIn(values, 'people')
      .split(/[\s,]+/)
      .filter(Boolean)
    const people = await Promise.all(logins.map(findUser))
    const unknown = logins.filter((_, at) => people[at] === undefined)
    if (unknown.length > 0) return setProblem(text('told.unknown', { names: unknown.join(', ') }))
    const notification = {
      path: valueIn(values, 'path').trim(),
      emails: entriesIn(valueIn(values, 'emails')),
      users: people.flatMap((person) => person ?? []),
      user_groups: values.getAll('group').map(String),
    }
    const email_notifications = [...others.map(notificationToWrite), notification]
    const answer = await saveSettings(id, { email_notifications }, () => undefined)
    if (answer.ok) onClose()
    else setProblem(refusalText(answer))
  }
  const chosen = new Set(edited?.user_groups.map((group) => group.id))
  return (
    <Dialog title={text(edited ? 'told.edit' : 'told.add')} onClose={onClose}>
      <form
        className={styles['form']}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget)).catch((error: unknown) =>
            setProblem(error instanceof Refusal ? refusalText(error.failure) : text('refusal.unknown')),
          )
        }}
      >
        <TextField
          label={text('told.path')}
          hint={text('told.path.hint')}
          name="path"
          defaultValue={edited?.path ?? '/'}
          spellCheck={false}
          autoFocus
          required
        />
        <LongTextField label={text('told.emails')} name="emails" defaultValue={edited?.emails.join('\n') ?? ''} />
        <TextField
          label={text('told.people')}
          hint={text('told.people.hint')}
          name="people"
          defaultValue={edited?.users.map(({ username }) => username).join(', ') ?? ''}
        />
        <ChoiceGroup label={text('told.groups')}>
          {groups.map((group) => (
            <Choice
              key={group.id}
              name="group"
              value={group.id}
              label={group.label}
              defaultChecked={chosen.has(group.id)}
            />
          ))}
        </ChoiceGroup>
        <Problem>{problem}</Problem>
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The id behind a login; undefined: nobody has it. */
async function findUser(username: string): Promise<number | undefined> {
  const [user] = await read(api.call('GET /users', { query: { query: JSON.stringify({ username }) } }))
  return user?.id ?? undefined
}

import { queryOptions, useQuery } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import type { CommitNotification } from '@waypost/sdk/api'
import { type FormEvent, useState } from 'react'
import { FormProblem } from '../../design/problem.tsx'
import { formValue } from '../../accounts/auth-layout.tsx'
import { api, read } from '../../api.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { ChoiceInput, ChoiceGroup, LongTextField, TextField } from '../../design/field.tsx'
import { refusalText } from '../../design/refusal.tsx'
import { text } from '../messages.ts'
import { useRepository } from '../use-repository.ts'
import { splitLines, notificationToWrite, saveSettings } from './save-settings.ts'
import styles from './settings.module.css'

/** The groups that can be notified: members, administrators and the project's own. */
const groupsQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'groups'],
    queryFn: async () => {
      const groups = await read(api.call('GET /projects/{id}/user_groups', { path: { id: project } }))
      return groups.filter(({ id }) => !id.includes('_') || /_[34]$/.test(id))
    },
  })

interface Props {
  /** Undefined: a new notification. */
  readonly edited: CommitNotification | undefined
  readonly others: readonly CommitNotification[]
  readonly onClose: () => void
}

export function NotificationForm({ edited, others, onClose }: Props) {
  const { id, project } = useRepository()
  const { data: groups = edited?.user_groups ?? [] } = useQuery(groupsQuery(project.id))
  const [problem, setProblem] = useState<string>()
  const submit = async (values: FormData) => {
    const logins = formValue(values, 'people')
      .split(/[\s,]+/)
      .filter(Boolean)
    const people = await Promise.all(logins.map(findUser))
    const unknown = logins.filter((_, at) => people[at] === undefined)
    if (unknown.length > 0) return setProblem(text('told.unknown', { names: unknown.join(', ') }))
    const notification = {
      path: formValue(values, 'path').trim(),
      emails: splitLines(formValue(values, 'emails')),
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
            <ChoiceInput
              key={group.id}
              name="group"
              value={group.id}
              label={group.label}
              defaultChecked={chosen.has(group.id)}
            />
          ))}
        </ChoiceGroup>
        <FormProblem>{problem}</FormProblem>
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

/** The id of a login; undefined if it does not exist. */
async function findUser(username: string): Promise<number | undefined> {
  const [user] = await read(api.call('GET /users', { query: { query: JSON.stringify({ username }) } }))
  return user?.id ?? undefined
}

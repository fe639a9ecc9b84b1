import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { formValue } from '../accounts/auth-layout.tsx'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { ChoiceInput, TextField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import styles from './settings/settings.module.css'
import { text } from './messages.ts'

const LAYOUT = ['trunk', 'branches', 'tags']

export function NewRepositoryForm({ project, onClose }: { project: number; onClose: () => void }) {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const submit = async (values: FormData) => {
    setBusy(true)
    const settings = values.has('layout') ? { layout: LAYOUT } : {}
    const answer = await api.call('POST /svn', {
      body: { project_id: project, name: formValue(values, 'name').trim(), settings },
    })
    setBusy(false)
    if (!answer.ok) return setProblem(refusalText(answer))
    onClose()
    await queryClient.invalidateQueries({ queryKey: ['projects', project, 'svn'] })
    const { name, project: made } = answer.body
    queryClient.removeQueries({ queryKey: ['repositories', made.shortname] })
    await navigate({ to: '/projects/$shortname/repositories/$name', params: { shortname: made.shortname, name } })
  }
  return (
    <Dialog title={text('repositories.new')} onClose={onClose}>
      <form
        className={styles['form']}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <TextField
          label={text('svn.name')}
          hint={text('svn.name.hint')}
          error={problem}
          name="name"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
        />
        <ChoiceInput label={text('svn.layout')} hint={text('svn.layout.hint')} name="layout" defaultChecked />
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {text('svn.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

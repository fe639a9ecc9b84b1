import type { User } from '@waypost/sdk/api'
import { type FormEvent, useState } from 'react'
import styles from '../accounts/security-page.module.css'
import { text } from '../accounts/messages.ts'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { Panel } from '../design/page.tsx'
import { refusalText } from '../design/refusal.tsx'
import { saveProfile } from './self-query.ts'

const MAX_NAME_LENGTH = 100

export function NameForm({ user }: { readonly user: User }) {
  const before = user.real_name ?? ''
  const [edited, setEdited] = useState<string>()
  const name = edited ?? before
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    const refused = await saveProfile({ real_name: name }, { real_name: before })
    setBusy(false)
    setProblem(refused && refusalText(refused))
    if (!refused) setEdited(undefined)
  }
  return (
    <Panel title={text('profile.name')} lead={text('profile.name.lead', { login: user.username ?? '' })}>
      <form
        className={styles['form']}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          label={text('profile.name.label')}
          name="real_name"
          value={name}
          maxLength={MAX_NAME_LENGTH}
          autoComplete="name"
          required
          error={problem}
          onChange={({ target }) => setEdited(target.value)}
        />
        <Button type="submit" isBusy={isBusy}>
          {text('artifact.save')}
        </Button>
      </form>
    </Panel>
  )
}

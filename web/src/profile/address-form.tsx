import type { User } from '@waypost/sdk/api'
import { type FormEvent, useState } from 'react'
import styles from '../accounts/security-page.module.css'
import { text } from '../accounts/messages.ts'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { Panel } from '../design/page.tsx'
import { refusalText } from '../design/refusal.tsx'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import own from './profile.module.css'
import { saveProfile } from './self-query.ts'

/** A new address is in force after its mailed link was opened. */
export function AddressForm({ user }: { readonly user: User }) {
  const { email, pending_email: pending } = user
  const [address, setAddress] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    const refused = await saveProfile({ email: address })
    setBusy(false)
    setProblem(refused && refusalText(refused))
    if (!refused) setAddress('')
  }
  return (
    <Panel title={text('profile.address')} lead={text('profile.address.lead', { email: email ?? '' })}>
      {typeof pending === 'string' && <Pending address={pending} />}
      <form
        className={styles['form']}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          label={text('profile.address.new')}
          hint={text('profile.address.hint')}
          name="email"
          type="email"
          value={address}
          autoComplete="email"
          required
          error={problem}
          onChange={({ target }) => setAddress(target.value)}
        />
        <Button type="submit" isBusy={isBusy}>
          {text('profile.address.change')}
        </Button>
      </form>
    </Panel>
  )
}

function Pending({ address }: { readonly address: string }) {
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    const answer = await api.call('POST /email_verifications')
    setBusy(false)
    if (answer.ok) showToast(text('profile.address.sent', { email: address }))
    else showRefusal(answer)
  }
  return (
    <div className={own['pending']} role="status">
      <p>{text('profile.address.pending', { email: address })}</p>
      <Button isBusy={isBusy} onPress={() => void send()}>
        {text('profile.address.again')}
      </Button>
    </div>
  )
}

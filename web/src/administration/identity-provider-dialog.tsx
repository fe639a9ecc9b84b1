import type { Failure } from '@waypost/sdk/answer'
import type { IdentityProvider } from '@waypost/sdk/api'
import { type FormEvent, useRef, useState } from 'react'
import { formValue } from '../accounts/auth-layout.tsx'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { ChoiceInput, LongTextField, SelectField, TextField } from '../design/field.tsx'
import { focusProblem, hasProblemAt, problemReason } from '../design/form-problems.ts'
import { FormProblem } from '../design/problem.tsx'
import { refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import styles from './administration.module.css'
import { parseMappings, printMappings } from './group-mappings.ts'
import { text } from './messages.ts'

interface Props {
  /** Absent: a new provider. */
  readonly provider?: IdentityProvider
  readonly onClose: () => void
}

const INPUTS = ['name', 'label', 'issuer', 'client_id', 'client_secret', 'groups_claim']
const MATCH_BY = (['subject', 'email'] as const).map((value) => ({ value, label: text(`identity.match_by.${value}`) }))
const NEW_ACCOUNTS = (['never', 'by_registration', 'always'] as const).map((value) => ({
  value,
  label: text(`identity.new_accounts.${value}`),
}))

/** The settings that most providers need; the API and the file have the rest. */
export function IdentityProviderDialog({ provider, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [failure, setFailure] = useState<Failure>()
  const [wrongLine, setWrongLine] = useState<number>()
  const [match_by, setMatchBy] = useState(provider?.match_by ?? 'email')
  const [new_accounts, setNewAccounts] = useState(provider?.new_accounts ?? 'never')
  const [is_enabled, setEnabled] = useState(provider?.is_enabled ?? true)
  const [is_internal, setInternal] = useState(provider?.is_internal ?? false)

  const submit = async (values: FormData) => {
    const [name = '', label = '', issuer = '', client_id = '', client_secret = '', claim = ''] = INPUTS.map((each) =>
      formValue(values, each).trim(),
    )
    const parsed = parseMappings(formValue(values, 'group_mappings'))
    setWrongLine('wrongLine' in parsed ? parsed.wrongLine : undefined)
    if ('wrongLine' in parsed) return
    const settings = {
      label,
      client_id,
      match_by,
      new_accounts,
      is_enabled,
      is_internal,
      groups_claim: claim === '' ? null : claim,
      group_mappings: parsed.mappings,
      ...(client_secret !== '' && { client_secret }),
    }
    const answer = provider
      ? await api.call('PATCH /identity_providers/{name}', { path: { name: provider.name }, body: settings })
      : await api.call('POST /identity_providers', { body: { name, issuer, ...settings } })
    if (!answer.ok) {
      setFailure(answer)
      return focusProblem(form.current, answer)
    }
    onClose()
    showToast(text(provider ? 'identity.saved' : 'identity.made', { label }))
    await queryClient.invalidateQueries({ queryKey: ['identity_providers'] })
  }
  const at = (name: string) => (failure && problemReason(failure, name) ? refusalText(failure) : undefined)
  const isElsewhere = failure && !hasProblemAt(failure, INPUTS)
  return (
    <Dialog title={provider?.label ?? text('identity.new')} onClose={onClose}>
      <form
        ref={form}
        className={styles['form']}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <TextField
          label={text('identity.label')}
          name="label"
          defaultValue={provider?.label}
          maxLength={60}
          error={at('label')}
          autoFocus
          required
        />
        {!provider && (
          <>
            <TextField
              label={text('identity.name')}
              hint={text('identity.name.hint')}
              name="name"
              pattern="[a-z][a-z0-9\-]*"
              maxLength={40}
              autoComplete="off"
              spellCheck={false}
              error={at('name')}
              required
            />
            <TextField
              label={text('identity.issuer')}
              hint={text('identity.issuer.hint')}
              name="issuer"
              type="url"
              maxLength={500}
              spellCheck={false}
              error={at('issuer')}
              required
            />
          </>
        )}
        <TextField
          label={text('identity.client_id')}
          name="client_id"
          defaultValue={provider?.client_id}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          error={at('client_id')}
          required
        />
        <TextField
          label={text('identity.client_secret')}
          hint={text(provider?.has_client_secret ? 'identity.client_secret.kept' : 'identity.client_secret.hint')}
          name="client_secret"
          type="password"
          maxLength={1000}
          autoComplete="off"
          error={at('client_secret')}
        />
        <SelectField label={text('identity.match_by')} value={match_by} options={MATCH_BY} onChange={setMatchBy} />
        <SelectField
          label={text('identity.new_accounts')}
          value={new_accounts}
          options={NEW_ACCOUNTS}
          onChange={setNewAccounts}
        />
        <TextField
          label={text('identity.groups_claim')}
          hint={text('identity.groups_claim.hint')}
          name="groups_claim"
          defaultValue={provider?.groups_claim ?? ''}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          error={at('groups_claim')}
        />
        <LongTextField
          label={text('identity.group_mappings')}
          hint={text('identity.group_mappings.hint')}
          name="group_mappings"
          defaultValue={printMappings(provider?.group_mappings ?? [])}
          spellCheck={false}
          error={wrongLine === undefined ? undefined : text('identity.group_mappings.wrong', { line: wrongLine })}
        />
        <ChoiceInput
          label={text('identity.is_enabled')}
          checked={is_enabled}
          onChange={({ target }) => setEnabled(target.checked)}
        />
        <ChoiceInput
          label={text('identity.is_internal')}
          checked={is_internal}
          onChange={({ target }) => setInternal(target.checked)}
        />
        <FormProblem>{isElsewhere && refusalText(failure)}</FormProblem>
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text(provider ? 'identity.save' : 'identity.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

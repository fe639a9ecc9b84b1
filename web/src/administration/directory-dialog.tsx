import type { Failure } from '@waypost/sdk/answer'
import type { Directory } from '@waypost/sdk/api'
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
import { DIRECTORY_PRESETS, type DirectoryKind } from './directory-presets.ts'
import { parseMappings, printMappings } from './group-mappings.ts'
import { text } from './messages.ts'

interface Props {
  /** Absent: a new directory. */
  readonly directory?: Directory
  readonly onClose: () => void
}

const KINDS = (['openldap', 'active_directory'] as const).map((value) => ({
  value,
  label: text(`directory.kind.${value}`),
}))
const TLS = (['ldaps', 'starttls', 'none'] as const).map((value) => ({ value, label: text(`directory.tls.${value}`) }))
const MATCH_BY = (['id', 'email'] as const).map((value) => ({ value, label: text(`directory.match_by.${value}`) }))
const NEW_ACCOUNTS = (['never', 'at_sign_in', 'by_sync'] as const).map((value) => ({
  value,
  label: text(`directory.new_accounts.${value}`),
}))
const ATTRIBUTES = ['id_attribute', 'login_attribute', 'name_attribute', 'email_attribute'] as const
/** Fields with a problem of their own. */
const INPUTS = [
  ...(['name', 'label', 'ca_certificate', 'bind_dn', 'bind_password', 'people_base', 'people_filter'] as const),
  ...(['disabled_filter', 'groups_base', 'groups_filter', 'member_attribute', 'max_suspensions'] as const),
  ...(['sync_interval_minutes', ...ATTRIBUTES] as const),
]

/** The settings that most directories need; the API and the file have the rest. */
export function DirectoryDialog({ directory, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [failure, setFailure] = useState<Failure>()
  const [wrongLine, setWrongLine] = useState<number>()
  const [kind, setKind] = useState<DirectoryKind>('openldap')
  const [tls, setTls] = useState(directory?.tls ?? 'ldaps')
  const [match_by, setMatchBy] = useState(directory?.match_by ?? 'id')
  const [new_accounts, setNewAccounts] = useState(directory?.new_accounts ?? 'at_sign_in')
  const [is_enabled, setEnabled] = useState(directory?.is_enabled ?? true)
  const [is_internal, setInternal] = useState(directory?.is_internal ?? true)
  const known = directory ?? DIRECTORY_PRESETS[kind]

  const submit = async (values: FormData) => {
    const given = (name: string) => formValue(values, name).trim()
    const optional = (name: string) => (given(name) === '' ? null : given(name))
    const parsed = parseMappings(formValue(values, 'group_mappings'))
    setWrongLine('wrongLine' in parsed ? parsed.wrongLine : undefined)
    if ('wrongLine' in parsed) return
    const interval = given('sync_interval_minutes')
    const label = given('label')
    const settings = {
      label,
      urls: given('urls').split(/\s+/),
      tls,
      ca_certificate: optional('ca_certificate'),
      bind_dn: optional('bind_dn'),
      people_base: given('people_base'),
      people_filter: given('people_filter'),
      disabled_filter: optional('disabled_filter'),
      id_attribute: given('id_attribute'),
      login_attribute: given('login_attribute'),
      name_attribute: given('name_attribute'),
      email_attribute: given('email_attribute'),
      match_by,
      new_accounts,
      groups_base: optional('groups_base'),
      groups_filter: given('groups_filter'),
      member_attribute: given('member_attribute'),
      group_mappings: parsed.mappings,
      sync_interval_minutes: interval === '' ? null : Number(interval),
      max_suspensions: Number(given('max_suspensions')),
      is_internal,
      is_enabled,
      ...(given('bind_password') !== '' && { bind_password: formValue(values, 'bind_password') }),
    }
    const answer = directory
      ? await api.call('PATCH /directories/{name}', { path: { name: directory.name }, body: settings })
      : await api.call('POST /directories', { body: { name: given('name'), ...settings } })
    if (!answer.ok) {
      setFailure(answer)
      return focusProblem(form.current, answer)
    }
    onClose()
    showToast(text(directory ? 'identity.saved' : 'identity.made', { label }))
    await queryClient.invalidateQueries({ queryKey: ['directories'] })
  }
  const at = (name: string) => (failure && problemReason(failure, name) ? refusalText(failure) : undefined)
  const isElsewhere = failure && !hasProblemAt(failure, INPUTS)
  return (
    <Dialog title={directory?.label ?? text('directory.new')} onClose={onClose}>
      <form
        ref={form}
        className={styles['form']}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <TextField
          label={text('directory.label')}
          name="label"
          defaultValue={directory?.label}
          maxLength={60}
          error={at('label')}
          autoFocus
          required
        />
        {!directory && (
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
            <SelectField label={text('directory.kind')} value={kind} options={KINDS} onChange={setKind} />
          </>
        )}
        <LongTextField
          label={text('directory.urls')}
          hint={text('directory.urls.hint')}
          name="urls"
          defaultValue={directory?.urls.join('\n')}
          spellCheck={false}
          required
        />
        <SelectField label={text('directory.tls')} value={tls} options={TLS} onChange={setTls} />
        <LongTextField
          label={text('directory.ca_certificate')}
          hint={text('directory.ca_certificate.hint')}
          name="ca_certificate"
          defaultValue={directory?.ca_certificate ?? ''}
          spellCheck={false}
          error={at('ca_certificate')}
        />
        <TextField
          label={text('directory.bind_dn')}
          hint={text('directory.bind_dn.hint')}
          name="bind_dn"
          defaultValue={directory?.bind_dn ?? ''}
          autoComplete="off"
          spellCheck={false}
          error={at('bind_dn')}
        />
        <TextField
          label={text('directory.bind_password')}
          hint={text(directory?.has_bind_password ? 'directory.bind_password.kept' : 'identity.client_secret.hint')}
          name="bind_password"
          type="password"
          maxLength={1000}
          autoComplete="off"
          error={at('bind_password')}
        />
        <TextField
          label={text('directory.people_base')}
          hint={text('directory.people_base.hint')}
          name="people_base"
          defaultValue={directory?.people_base}
          autoComplete="off"
          spellCheck={false}
          error={at('people_base')}
          required
        />
        <SelectField label={text('directory.match_by')} value={match_by} options={MATCH_BY} onChange={setMatchBy} />
        <SelectField
          label={text('directory.new_accounts')}
          value={new_accounts}
          options={NEW_ACCOUNTS}
          onChange={setNewAccounts}
        />
        {/* Another kind has other defaults. */}
        <div key={kind} className={styles['form']}>
          {(['people_filter', ...ATTRIBUTES] as const).map((name) => (
            <TextField
              key={name}
              label={text(`directory.${name}`)}
              name={name}
              defaultValue={known[name]}
              autoComplete="off"
              spellCheck={false}
              error={at(name)}
              required
            />
          ))}
          <TextField
            label={text('directory.disabled_filter')}
            hint={text('directory.disabled_filter.hint')}
            name="disabled_filter"
            defaultValue={known.disabled_filter ?? ''}
            autoComplete="off"
            spellCheck={false}
            error={at('disabled_filter')}
          />
          <TextField
            label={text('directory.groups_base')}
            hint={text('directory.groups_base.hint')}
            name="groups_base"
            defaultValue={directory?.groups_base ?? ''}
            autoComplete="off"
            spellCheck={false}
            error={at('groups_base')}
          />
          {(['groups_filter', 'member_attribute'] as const).map((name) => (
            <TextField
              key={name}
              label={text(`directory.${name}`)}
              name={name}
              defaultValue={known[name]}
              autoComplete="off"
              spellCheck={false}
              error={at(name)}
              required
            />
          ))}
        </div>
        <LongTextField
          label={text('identity.group_mappings')}
          hint={text('directory.group_mappings.hint')}
          name="group_mappings"
          defaultValue={printMappings(directory?.group_mappings ?? [])}
          spellCheck={false}
          error={wrongLine === undefined ? undefined : text('identity.group_mappings.wrong', { line: wrongLine })}
        />
        <TextField
          label={text('directory.sync_interval_minutes')}
          hint={text('directory.sync_interval_minutes.hint')}
          name="sync_interval_minutes"
          type="number"
          min={5}
          max={10_080}
          defaultValue={directory ? (directory.sync_interval_minutes ?? '') : 60}
          error={at('sync_interval_minutes')}
        />
        <TextField
          label={text('directory.max_suspensions')}
          hint={text('directory.max_suspensions.hint')}
          name="max_suspensions"
          type="number"
          min={0}
          max={100_000}
          defaultValue={directory?.max_suspensions ?? 100}
          error={at('max_suspensions')}
          required
        />
        <ChoiceInput
          label={text('directory.is_enabled')}
          checked={is_enabled}
          onChange={({ target }) => setEnabled(target.checked)}
        />
        <ChoiceInput
          label={text('directory.is_internal')}
          checked={is_internal}
          onChange={({ target }) => setInternal(target.checked)}
        />
        <FormProblem>{isElsewhere && refusalText(failure)}</FormProblem>
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text(directory ? 'identity.save' : 'directory.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

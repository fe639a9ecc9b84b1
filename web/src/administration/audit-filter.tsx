import { useNavigate } from '@tanstack/react-router'
import { formValue } from '../accounts/auth-layout.tsx'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { FilterForm } from '../design/filter-form.tsx'
import styles from './administration.module.css'
import { type AdministrationMessageKey, text } from './messages.ts'
import { AUDIT_TEXT_FILTERS, type AuditSearch } from './search-parameters.ts'

export function AuditFilter({ filter }: { filter: AuditSearch }) {
  const navigate = useNavigate()
  const field = (
    name: (typeof AUDIT_TEXT_FILTERS)[number] | 'from' | 'to',
    { type = 'text', example }: { type?: string; example?: AdministrationMessageKey } = {},
  ) => (
    <TextField
      label={text(`audit.${name}`)}
      name={name}
      type={type}
      {...(example !== undefined && { placeholder: text(example) })}
      defaultValue={filter[name] ?? ''}
      autoComplete="off"
    />
  )
  const submit = (values: FormData) => {
    const names = [...AUDIT_TEXT_FILTERS, 'from', 'to'] as const
    const given = names.flatMap((name) => {
      const value = formValue(values, name).trim()
      return value === '' ? [] : [[name, value] as const]
    })
    const outcome = values.has('refused') ? ({ outcome: 'refused' } as const) : {}
    void navigate({ to: '/administration/audit', search: { ...Object.fromEntries(given), ...outcome } })
  }
  return (
    <FilterForm
      label={text('audit.filter')}
      className={styles['filter']}
      shown={JSON.stringify(filter)}
      onSubmit={submit}
    >
      {field('actor')}
      {field('action', { example: 'audit.action.example' })}
      {field('object', { example: 'audit.object.example' })}
      {field('project')}
      {field('address')}
      {field('from', { type: 'date' })}
      {field('to', { type: 'date' })}
      <label className={styles['tick']}>
        <input type="checkbox" name="refused" defaultChecked={filter.outcome === 'refused'} />
        {text('audit.only_refused')}
      </label>
      <Button type="submit">{text('audit.show')}</Button>
    </FilterForm>
  )
}

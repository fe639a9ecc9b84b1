import type { RulesDefinition } from '@waypost/sdk/api'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { SelectField } from '../design/field.tsx'
import { Empty, Panel } from '../design/page.tsx'
import rows from '../design/rows.module.css'
import type { FormElement } from './definition.ts'
import { elementLabel } from './element-types.ts'
import styles from './form.module.css'
import { text } from './messages.ts'

type DateRule = NonNullable<RulesDefinition['dates']>[number]
const COMPARATORS = ['<', '≤', '=', '≠', '≥', '>'] as const satisfies readonly DateRule['comparator'][]

interface Props {
  readonly rules: readonly DateRule[]
  readonly fields: readonly FormElement[]
  readonly onChange: (label: string, edit: (rules: DateRule[]) => DateRule[]) => void
}

/** Comparisons of two dates that every artifact has to satisfy. */
export function DateRules({ rules, fields, onChange }: Props) {
  const [source, setSource] = useState('')
  const [target, setTarget] = useState('')
  const [comparator, setComparator] = useState<DateRule['comparator']>('≤')
  const labelOf = (name: string) => {
    const element = fields.find((each) => each.name === name)
    return element ? elementLabel(element) : name
  }
  const words = (rule: DateRule) => `${labelOf(rule.source)} ${rule.comparator} ${labelOf(rule.target)}`
  const isSame = (one: DateRule, other: DateRule) => words(one) === words(other)
  const options = fields.map((each) => ({ value: each.name, label: elementLabel(each) }))
  const first = source === '' ? (fields[0]?.name ?? '') : source
  const second = target === '' ? (fields.find(({ name }) => name !== first)?.name ?? '') : target
  const added: DateRule = { source: first, comparator, target: second }
  const mayAdd = first !== second && second !== '' && !rules.some((rule) => isSame(rule, added))
  return (
    <Panel title={text('rules.dates')} lead={text('rules.dates.lead')} isList>
      {rules.length === 0 && <Empty>{text(fields.length < 2 ? 'rules.dates.few' : 'rules.dates.none')}</Empty>}
      <ul className={rows['rows']}>
        {rules.map((rule) => (
          <li key={words(rule)}>
            <span>{words(rule)}</span>
            <Button
              kind="danger"
              aria-label={text('rules.remove_what', { rule: words(rule) })}
              onPress={() =>
                onChange(text('rules.removed', { rule: words(rule) }), (before) =>
                  before.filter((each) => !isSame(each, rule)),
                )
              }
            >
              {text('rules.remove')}
            </Button>
          </li>
        ))}
      </ul>
      {fields.length > 1 && (
        <div className={`${styles['pair']} ${styles['added']}`}>
          <SelectField label={text('rules.first_date')} value={first} options={options} onChange={setSource} />
          <SelectField
            label={text('rules.comparator')}
            value={comparator}
            options={COMPARATORS.map((value) => ({ value, label: value }))}
            onChange={setComparator}
          />
          <SelectField label={text('rules.second_date')} value={second} options={options} onChange={setTarget} />
          <Button
            isDisabled={!mayAdd}
            onPress={() => onChange(text('rules.added', { rule: words(added) }), (before) => [...before, added])}
          >
            {text('rules.add')}
          </Button>
        </div>
      )}
    </Panel>
  )
}

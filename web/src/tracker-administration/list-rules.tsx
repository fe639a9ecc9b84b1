import type { RulesDefinition } from '@waypost/sdk/api'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { SelectField } from '../design/field.tsx'
import { Empty, Panel } from '../design/page.tsx'
import type { FormElement } from './definition.ts'
import { elementLabel } from './element-types.ts'
import styles from './form.module.css'
import { Matrix } from './matrix.tsx'
import { text } from './messages.ts'
import { staticListValues } from './semantics-page.tsx'

type ListRule = NonNullable<RulesDefinition['lists']>[number]
const NO_VALUE = '@none'

interface Props {
  readonly rules: readonly ListRule[]
  readonly fields: readonly FormElement[]
  readonly onChange: (label: string, edit: (rules: ListRule[]) => ListRule[]) => void
}

/** Lists whose values depend on the value of another list. */
export function ListRules({ rules, fields, onChange }: Props) {
  const [source, setSource] = useState('')
  const [target, setTarget] = useState('')
  const find = (name: string) => fields.find((each) => each.name === name)
  const labelOf = (name: string) => elementLabel(find(name) ?? { label: name, type: '' })
  const words = (rule: Pick<ListRule, 'source' | 'target'>) =>
    text('rules.depends', { source: labelOf(rule.source), target: labelOf(rule.target) })
  const valuesOf = (name: string) => [
    { key: NO_VALUE, label: text('rules.no_value') },
    ...staticListValues(find(name)).map(({ key, label }) => ({ key, label })),
  ]
  const options = fields.map((each) => ({ value: each.name, label: elementLabel(each) }))
  const first = source === '' ? (fields[0]?.name ?? '') : source
  const second = target === '' ? (fields.find(({ name }) => name !== first)?.name ?? '') : target
  // A list depends on at most one other.
  const mayAdd = first !== second && second !== '' && !rules.some((rule) => rule.target === second)
  const change = (rule: ListRule, label: string, allow: ListRule['allow']) =>
    onChange(label, (before) =>
      before.map((each) => (each.source === rule.source && each.target === rule.target ? { ...each, allow } : each)),
    )
  return (
    <Panel title={text('rules.lists')} lead={text('rules.lists.lead')} isList>
      {rules.length === 0 && <Empty>{text(fields.length < 2 ? 'rules.lists.few' : 'rules.lists.none')}</Empty>}
      {rules.map((rule) => (
        <div key={`${rule.source} ${rule.target}`} className={styles['rule']}>
          <div className={styles['row']}>
            <h3>{words(rule)}</h3>
            <Button
              kind="danger"
              aria-label={text('rules.remove_what', { rule: words(rule) })}
              onPress={() =>
                onChange(text('rules.removed', { rule: words(rule) }), (before) =>
                  before.filter((each) => each.source !== rule.source || each.target !== rule.target),
                )
              }
            >
              {text('rules.remove')}
            </Button>
          </div>
          <Matrix
            label={words(rule)}
            corner={labelOf(rule.source)}
            rows={valuesOf(rule.source)}
            columns={valuesOf(rule.target)}
            cell={(row, column) => {
              const allowed = rule.allow[row] ?? []
              const isChecked = allowed.includes(column)
              const label = text('rules.cell', {
                source: valuesOf(rule.source).find(({ key }) => key === row)?.label ?? row,
                target: valuesOf(rule.target).find(({ key }) => key === column)?.label ?? column,
              })
              const next = isChecked ? allowed.filter((key) => key !== column) : [...allowed, column]
              return {
                isChecked,
                label,
                onToggle: () =>
                  change(rule, text('rules.changed', { rule: words(rule) }), { ...rule.allow, [row]: next }),
              }
            }}
          />
        </div>
      ))}
      {fields.length > 1 && (
        <div className={`${styles['pair']} ${styles['added']}`}>
          <SelectField label={text('rules.source')} value={first} options={options} onChange={setSource} />
          <SelectField label={text('rules.target')} value={second} options={options} onChange={setTarget} />
          <Button
            isDisabled={!mayAdd}
            onPress={() => {
              const all = valuesOf(second).map(({ key }) => key)
              const allow = Object.fromEntries(valuesOf(first).map(({ key }) => [key, all]))
              const added = { source: first, target: second, allow }
              onChange(text('rules.added', { rule: words(added) }), (before) => [...before, added])
            }}
          >
            {text('rules.add')}
          </Button>
        </div>
      )}
    </Panel>
  )
}

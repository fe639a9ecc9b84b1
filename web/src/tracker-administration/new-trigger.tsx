import { useQuery } from '@tanstack/react-query'
import type { TriggerDefinition } from '@waypost/sdk/api'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { SelectField } from '../design/field.tsx'
import type { FormElement } from './definition.ts'
import { useDraft } from './draft.ts'
import { elementLabel } from './element-types.ts'
import styles from './form.module.css'
import { text } from './messages.ts'
import { staticListValues } from './semantics-page.tsx'
import { useSiblingDefinition } from './sibling-definition.ts'
import { siblingsQuery } from './siblings-query.ts'
import { everyElement } from './tree.ts'

const CONDITIONS = ['all_of', 'at_least_one'] as const

interface Props {
  readonly triggers: readonly TriggerDefinition[]
  readonly onAdd: (trigger: TriggerDefinition) => void
}

/** The inputs of a further rule: the result, and the value of the children that leads to it. */
export function NewTrigger({ triggers, onAdd }: Props) {
  const { tracker, definition } = useDraft()
  const { data: siblings = [] } = useQuery(siblingsQuery(tracker.project.id))
  const [condition, setCondition] = useState<TriggerDefinition['condition']>('all_of')
  const [chosen, setChosen] = useState<number>()
  const child = siblings.find(({ id }) => id === chosen) ?? siblings.find(({ id }) => id !== tracker.id)
  const { definition: stored, isDenied } = useSiblingDefinition(child?.id)
  const target = useListValue(lists(definition.elements))
  const source = useListValue(lists(stored?.elements ?? []))
  if (!child || lists(definition.elements).length === 0)
    return <p className={`${styles['quiet']} ${styles['added']}`}>{text('triggers.few')}</p>
  const when = { tracker: child.item_name, ...source.chosen }
  const isTaken = triggers.some(
    (each) =>
      each.target.field === target.chosen.field &&
      each.target.value === target.chosen.value &&
      each.when.some((one) => one.tracker === child.item_name),
  )
  const isWhole = target.chosen.value !== '' && source.chosen.value !== ''
  return (
    <div className={`${styles['form']} ${styles['added']}`}>
      <div className={styles['pair']}>
        <ListValueFields label={text('triggers.field')} valueLabel={text('triggers.becomes')} list={target} />
        <SelectField
          label={text('triggers.condition')}
          value={condition}
          options={CONDITIONS.map((value) => ({ value, label: text(`triggers.condition.${value}`) }))}
          onChange={setCondition}
        />
      </div>
      <div className={styles['pair']}>
        <SelectField
          label={text('triggers.tracker')}
          value={child.id}
          options={siblings.map(({ id, label }) => ({ value: id, label }))}
          onChange={setChosen}
        />
        <ListValueFields label={text('triggers.child_field')} valueLabel={text('triggers.reaches')} list={source} />
      </div>
      {isDenied && <p className={styles['quiet']}>{text('triggers.denied')}</p>}
      <div>
        <Button
          isDisabled={!isWhole || isTaken}
          onPress={() => onAdd({ target: target.chosen, condition, when: [when] })}
        >
          {text('rules.add')}
        </Button>
      </div>
    </div>
  )
}

function lists(elements: readonly FormElement[]): readonly FormElement[] {
  return [...everyElement(elements)].filter((element) => staticListValues(element).length > 0)
}

interface ListValueChoice {
  readonly fields: readonly FormElement[]
  readonly chosen: { readonly field: string; readonly value: string }
  readonly setField: (name: string) => void
  readonly setValue: (key: string) => void
}

/** A list and one of its values; the first ones until something is chosen. */
function useListValue(fields: readonly FormElement[]): ListValueChoice {
  const [field, setField] = useState('')
  const [value, setValue] = useState('')
  const list = fields.find(({ name }) => name === field) ?? fields[0]
  const values = staticListValues(list)
  const known = values.find(({ key }) => key === value) ?? values[0]
  return { fields, chosen: { field: list?.name ?? '', value: known?.key ?? '' }, setField, setValue }
}

interface FieldsProps {
  readonly label: string
  readonly valueLabel: string
  readonly list: ListValueChoice
}

function ListValueFields({ label, valueLabel, list: { fields, chosen, setField, setValue } }: FieldsProps) {
  const values = staticListValues(fields.find(({ name }) => name === chosen.field))
  return (
    <>
      <SelectField
        label={label}
        value={chosen.field}
        options={fields.map((each) => ({ value: each.name, label: elementLabel(each) }))}
        onChange={setField}
      />
      <SelectField
        label={valueLabel}
        value={chosen.value}
        options={values.map(({ key, label: words }) => ({ value: key, label: words }))}
        onChange={setValue}
      />
    </>
  )
}

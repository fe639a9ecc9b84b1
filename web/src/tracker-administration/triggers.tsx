import { useQuery } from '@tanstack/react-query'
import type { TriggerDefinition } from '@waypost/sdk/api'
import { Button } from '../design/button.tsx'
import { Empty, Panel } from '../design/page.tsx'
import rows from '../design/rows.module.css'
import type { Definition } from './definition.ts'
import { useDraft } from './draft.ts'
import { elementLabel } from './element-types.ts'
import { text } from './messages.ts'
import { NewTrigger } from './new-trigger.tsx'
import { staticListValues } from './semantics-page.tsx'
import { useSiblingDefinitions } from './sibling-definition.ts'
import { siblingsQuery } from './siblings-query.ts'
import { findFormElement } from './tree.ts'

/** Rules that set a value of an artifact when its children have reached theirs. */
export function Triggers() {
  const { tracker, definition, change } = useDraft()
  const triggers = definition.triggers ?? []
  const words = useTriggerWords(triggers)
  const remove = (trigger: TriggerDefinition) =>
    change(text('rules.removed', { rule: words(trigger) }), (before) => ({
      ...before,
      triggers: before.triggers?.filter((each) => !isSameTrigger(each, trigger)) ?? [],
    }))
  const add = (trigger: TriggerDefinition) =>
    change(text('rules.added', { rule: words(trigger) }), (before) => ({
      ...before,
      triggers: withTrigger(before.triggers ?? [], trigger),
    }))
  return (
    <Panel title={text('triggers.title')} lead={text('triggers.lead')} isList>
      {triggers.length === 0 && <Empty>{text('triggers.none')}</Empty>}
      <ul className={rows['rows']}>
        {triggers.map((trigger) => (
          <li key={words(trigger)}>
            <span>{words(trigger)}</span>
            <Button
              kind="danger"
              aria-label={text('rules.remove_what', { rule: words(trigger) })}
              onPress={() => remove(trigger)}
            >
              {text('rules.remove')}
            </Button>
          </li>
        ))}
      </ul>
      <NewTrigger key={tracker.id} triggers={triggers} onAdd={add} />
    </Panel>
  )
}

/** A rule with the same result gets a further tracker; all its conditions count together. */
function withTrigger(triggers: readonly TriggerDefinition[], added: TriggerDefinition): TriggerDefinition[] {
  const isMerged = (each: TriggerDefinition) =>
    each.target.field === added.target.field &&
    each.target.value === added.target.value &&
    each.condition === added.condition
  return triggers.some(isMerged)
    ? triggers.map((each) => (isMerged(each) ? { ...each, when: [...each.when, ...added.when] } : each))
    : [...triggers, added]
}

function isSameTrigger(one: TriggerDefinition, other: TriggerDefinition): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Describes a rule by labels; names stand for the fields of trackers that the viewer does not administer. */
function useTriggerWords(triggers: readonly TriggerDefinition[]): (trigger: TriggerDefinition) => string {
  const { tracker, definition } = useDraft()
  const { data: siblings = [] } = useQuery(siblingsQuery(tracker.project.id))
  const named = new Set(triggers.flatMap(({ when }) => when.map(({ tracker: name }) => name)))
  const mentioned = siblings.filter(({ item_name }) => named.has(item_name))
  const found = useSiblingDefinitions(mentioned.map(({ id }) => id))
  const definitionOf = (name: string) => found[mentioned.findIndex(({ item_name }) => item_name === name)]
  const valueWords = (of: Definition | undefined, field: string, value: string) => {
    const element = of && findFormElement(of, field)
    return text('triggers.value', {
      field: element ? elementLabel(element) : field,
      value: staticListValues(element).find(({ key }) => key === value)?.label ?? value,
    })
  }
  return ({ target, condition, when }) =>
    text(`triggers.${condition}`, {
      result: valueWords(definition, target.field, target.value),
      children: when
        .map(({ tracker: name, field, value }) =>
          text('triggers.child', {
            tracker: siblings.find(({ item_name }) => item_name === name)?.label ?? name,
            value: valueWords(definitionOf(name), field, value),
          }),
        )
        .join(text('triggers.or')),
    })
}

import type { RulesDefinition } from '@waypost/sdk/api'
import { fieldType } from '../field-types/field-types.ts'
import { DateRules } from './date-rules.tsx'
import { useDraft } from './draft.ts'
import { ListRules } from './list-rules.tsx'
import { text } from './messages.ts'
import { AdministrationScreen } from './screen.tsx'
import { everyElement } from './tree.ts'
import { Triggers } from './triggers.tsx'

/** Rules between fields, and rules between an artifact and its children. */
export function RulesPage() {
  const { definition, change } = useDraft()
  const elements = [...everyElement(definition.elements)]
  const set = (label: string, edit: (rules: RulesDefinition) => RulesDefinition) =>
    change(label, (before) => ({ ...before, rules: edit(before.rules ?? {}) }))
  return (
    <AdministrationScreen title={text('administration.rules')} lead={text('tracker_rules.lead')}>
      <DateRules
        rules={definition.rules?.dates ?? []}
        fields={elements.filter((element) => fieldType(element).semantics?.includes('day'))}
        onChange={(label, edit) => set(label, (rules) => ({ ...rules, dates: edit(rules.dates ?? []) }))}
      />
      <ListRules
        rules={definition.rules?.lists ?? []}
        fields={elements.filter((element) => element.bind?.type === 'static' && fieldType(element).list !== 'open')}
        onChange={(label, edit) => set(label, (rules) => ({ ...rules, lists: edit(rules.lists ?? []) }))}
      />
      <Triggers />
    </AdministrationScreen>
  )
}

import { type FormEvent, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { ChoiceInput } from '../design/field.tsx'
import { fieldType } from '../field-types/field-types.ts'
import { text } from './messages.ts'
import type { Conditions, Definition } from './definition.ts'
import type { GrantableGroup } from './definition-query.ts'
import { groupLabel, useDraft } from './draft.ts'
import { GroupChoices } from './element-form.tsx'
import { elementLabel } from './element-types.ts'
import styles from './form.module.css'
import { RuleActions } from './rule-actions.tsx'
import { Values } from './semantics-page.tsx'
import { everyElement, findFormElement } from './tree.ts'
import { changeWorkflow, type WorkflowRule, withRuleTerms } from './workflow.ts'

interface Props {
  readonly rule: WorkflowRule
  /** The step that was opened. */
  readonly opened: { readonly from: string; readonly to: string }
  readonly labelOfState: (key: string) => string
  readonly onRemove: () => void
  readonly onClose: () => void
}

/** The conditions of a transition. */
export function RuleDialog({ rule, opened, labelOfState, onRemove, onClose }: Props) {
  const { definition, change } = useDraft()
  const [wanted, setWanted] = useState(rule.conditions)
  const [actions, setActions] = useState(rule.actions)
  const places = { from: rule.from.map(labelOfState).join(', '), to: labelOfState(rule.to) }
  const one = { from: labelOfState(opened.from), to: labelOfState(opened.to) }
  const fields = [...everyElement(definition.elements)].filter((each) => fieldType(each).editing)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const terms = { conditions: wanted, actions: actions.filter(isSaid) }
    if (JSON.stringify(terms) !== JSON.stringify({ conditions: rule.conditions, actions: rule.actions }))
      change(text('workflow.conditions.changed', places), (before) =>
        changeWorkflow(before, (workflow) => withRuleTerms(workflow, rule, terms)),
      )
    onClose()
  }
  return (
    <Dialog title={text('workflow.conditions_of', places)} isWide onClose={onClose}>
      <form className={styles['form']} onSubmit={save}>
        <p className={styles['quiet']}>{text('workflow.groups.hint')}</p>
        <div className={styles['pair']}>
          <GroupChoices
            label={text('workflow.groups')}
            chosen={wanted.groups}
            onChange={(groups) => setWanted({ ...wanted, groups })}
          />
          <Values
            label={text('workflow.not_empty')}
            values={fields.map((each) => ({ key: each.name, label: elementLabel(each) }))}
            chosen={wanted.not_empty}
            onChange={(not_empty) => setWanted({ ...wanted, not_empty })}
          />
        </div>
        <ChoiceInput
          label={text('workflow.comment')}
          checked={wanted.comment}
          onChange={({ target }) => setWanted({ ...wanted, comment: target.checked })}
        />
        <h3>{text('workflow.actions')}</h3>
        <RuleActions actions={actions} onChange={setActions} />
        <DialogActions>
          <span className={styles['first']}>
            <Button
              kind="danger"
              onPress={() => {
                onRemove()
                onClose()
              }}
            >
              {text('workflow.remove', one)}
            </Button>
          </span>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text('elements.note')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** False for a job without a URL. */
function isSaid(action: WorkflowRule['actions'][number]): boolean {
  return action.type !== 'run_job' || action.job_url.trim() !== ''
}

/** The conditions in one line. */
export function describeConditions(
  { groups: may, not_empty, comment }: Conditions,
  definition: Definition,
  groups: readonly GrantableGroup[],
): string {
  const parts = [
    ...(may.length > 0
      ? [text('workflow.tell.groups', { groups: may.map((name) => groupLabel(groups, name)).join(', ') })]
      : []),
    ...(not_empty.length > 0 ? [text('workflow.tell.not_empty', { fields: namesOf(not_empty, definition) })] : []),
    ...(comment ? [text('workflow.tell.comment')] : []),
  ]
  return parts.length === 0 ? text('workflow.tell.none') : parts.join(' ')
}

export function describeActions(actions: WorkflowRule['actions'], definition: Definition): string {
  return actions
    .map((action) => {
      if (action.type === 'set_field_value')
        return text('workflow.tell.set', {
          field: namesOf([action.field], definition),
          value: String(action.value ?? ''),
        })
      if (action.type === 'run_job') return text('workflow.tell.job', { url: action.job_url })
      if (action.type === 'frozen_fields')
        return text('workflow.tell.frozen', { fields: namesOf(action.fields, definition) })
      return text('workflow.tell.hidden', { fields: namesOf(action.fieldsets, definition) })
    })
    .join(' ')
}

function namesOf(names: readonly string[], definition: Definition): string {
  return names
    .map((name) => {
      const element = findFormElement(definition, name)
      return element ? elementLabel(element) : name
    })
    .join(', ')
}

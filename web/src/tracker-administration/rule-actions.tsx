import { Button } from '../design/button.tsx'
import { LongTextField, SelectField, TextField } from '../design/field.tsx'
import { fieldType } from '../field-types/field-types.ts'
import { text } from './messages.ts'
import { useDraft } from './draft.ts'
import { elementLabel } from './element-types.ts'
import styles from './form.module.css'
import { Values } from './semantics-page.tsx'
import { everyElement } from './tree.ts'
import { isAdvanced, type WorkflowRule } from './workflow.ts'

type Actions = WorkflowRule['actions']
type Setter = Extract<Actions[number], { type: 'set_field_value' }>

const NONE = ''

/** Actions that run with a step. Actions that describe a state are not available for steps. */
export function RuleActions({ actions, onChange }: { actions: Actions; onChange: (actions: Actions) => void }) {
  const { definition } = useDraft()
  const { workflow } = definition
  const elements = [...everyElement(definition.elements)]
  const bound = new Set((definition.rules?.lists ?? []).flatMap(({ source, target }) => [source, target]))
  const freezable = elements.filter(
    (each) => fieldType(each).editing && each.name !== workflow?.field && !bound.has(each.name),
  )
  const setters = actions.filter((action) => action.type === 'set_field_value')
  const settable = elements.filter((each) => fieldType(each).setByWorkflow)
  const frozen = actions.find((action) => action.type === 'frozen_fields')
  const hidden = actions.find((action) => action.type === 'hidden_fieldsets')
  const jobs = actions.filter((action) => action.type === 'run_job').map(({ job_url }) => job_url)
  const without = (type: Actions[number]['type']) => actions.filter((action) => action.type !== type)
  const setSetters = (next: readonly Setter[]) => onChange([...next, ...without('set_field_value')])
  return (
    <>
      {setters.map((setter) => (
        <SetterRow
          key={setter.field}
          setter={setter}
          onChange={(next) => setSetters(setters.map((each) => (each === setter ? next : each)))}
          onRemove={() => setSetters(setters.filter((each) => each !== setter))}
        />
      ))}
      <SelectField
        label={text('workflow.set')}
        value={NONE}
        options={[
          { value: NONE, label: text('workflow.set.none') },
          ...settable
            .filter(({ name }) => setters.every(({ field }) => field !== name))
            .map((each) => ({ value: each.name, label: elementLabel(each) })),
        ]}
        onChange={(field) => {
          const element = settable.find(({ name }) => name === field)
          const value = element && fieldType(element).setByWorkflow === 'now' ? 'current' : 0
          if (field !== NONE) setSetters([...setters, { type: 'set_field_value', field, value }])
        }}
      />
      <LongTextField
        label={text('workflow.jobs')}
        hint={text('workflow.jobs.hint')}
        value={jobs.join('\n')}
        onChange={({ target }) => {
          const urls = target.value === '' ? [] : target.value.split('\n')
          onChange([...without('run_job'), ...urls.map((job_url) => ({ type: 'run_job' as const, job_url }))])
        }}
      />
      {workflow && !isAdvanced(workflow) && (
        <div className={styles['pair']}>
          <Values
            label={text('workflow.frozen')}
            values={freezable.map((each) => ({ key: each.name, label: elementLabel(each) }))}
            chosen={frozen?.fields ?? []}
            onChange={(fields) =>
              onChange([
                ...without('frozen_fields'),
                ...(fields.length > 0 ? [{ type: 'frozen_fields' as const, fields }] : []),
              ])
            }
          />
          <Values
            label={text('workflow.hidden')}
            values={elements
              .filter((each) => fieldType(each).isSection)
              .map((each) => ({ key: each.name, label: elementLabel(each) }))}
            chosen={hidden?.fieldsets ?? []}
            onChange={(fieldsets) =>
              onChange([
                ...without('hidden_fieldsets'),
                ...(fieldsets.length > 0 ? [{ type: 'hidden_fieldsets' as const, fieldsets }] : []),
              ])
            }
          />
        </div>
      )}
    </>
  )
}

interface SetterProps {
  readonly setter: Setter
  readonly onChange: (setter: Setter) => void
  readonly onRemove: () => void
}

function SetterRow({ setter, onChange, onRemove }: SetterProps) {
  const { definition } = useDraft()
  const element = [...everyElement(definition.elements)].find(({ name }) => name === setter.field)
  const { setByWorkflow, numberStep = 'any' } = (element && fieldType(element)) ?? {}
  const name = element ? elementLabel(element) : setter.field
  const label = text('workflow.set.what', { name })
  return (
    <div className={styles['row']}>
      {setByWorkflow === 'now' ? (
        <SelectField
          label={label}
          value={setter.value === 'current' ? 'current' : NONE}
          options={[
            { value: 'current', label: text('workflow.set.now') },
            { value: NONE, label: text('administration.nothing') },
          ]}
          onChange={(value) => onChange({ ...setter, value })}
        />
      ) : (
        <TextField
          label={label}
          hint={setByWorkflow === 'minutes' ? text('workflow.set.minutes') : undefined}
          type="number"
          step={numberStep}
          value={String(setter.value ?? '')}
          onChange={({ target }) => onChange({ ...setter, value: target.value === '' ? null : Number(target.value) })}
        />
      )}
      <Button aria-label={text('workflow.set.remove_what', { name })} onPress={onRemove}>
        {text('workflow.set.remove')}
      </Button>
    </div>
  )
}

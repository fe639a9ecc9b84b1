import { useQuery } from '@tanstack/react-query'
import type { WorkflowDefinition } from '@waypost/sdk/api'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ChoiceMenu } from '../design/choice-menu.tsx'
import { ChoiceInput } from '../design/field.tsx'
import { Icon } from '../design/icon.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import rows from '../design/rows.module.css'
import { HelpLink } from '../help/help-link.tsx'
import { lazyPart } from '../design/lazy-part.tsx'
import { AddTransition } from './add-transition.tsx'
import { text } from './messages.ts'
import type { FormElement, WorkflowStep } from './definition.ts'
import { useDraft } from './draft.ts'
import { definedProgress } from './defined-value.tsx'
import { elementLabel } from './element-types.ts'
import styles from './form.module.css'
import { Matrix } from './matrix.tsx'
import { RuleDialog, describeActions, describeConditions } from './rule-dialog.tsx'
import { AdministrationScreen } from './screen.tsx'
import { isStaticListElement } from './semantics-page.tsx'
import { everyElement } from './tree.ts'
import {
  addStep,
  changeWorkflow,
  workflowField,
  hasStep,
  NEW,
  removeStep,
  type WorkflowRule,
  rulesOf,
} from './workflow.ts'
import { workflowStates, stepsOf, withSteps } from './workflow.ts'

const WorkflowGraph = lazyPart(async () => (await import('./workflow-graph.tsx')).WorkflowGraph, {
  fallback: <Loading />,
})

const NONE = ''

/** The transitions of the workflow and their conditions. */
export function WorkflowPage() {
  const { definition, stored, change } = useDraft()
  const [opened, setOpened] = useState<{ to: string; from: string }>()
  const [isAdding, setAdding] = useState(false)
  const { workflow } = definition
  const field = workflowField(definition)
  const states = workflowStates(definition)
  const steps = stepsOf(workflow)
  const counts = useCounts(field)
  const lists = [...everyElement(definition.elements)].filter(isStaticListElement)
  const labelOfState = (key: string) =>
    key === NEW ? text('workflow.new') : (states.find((state) => state.key === key)?.label ?? key)
  const alter = (label: string, apply: (before: WorkflowDefinition) => WorkflowDefinition) =>
    change(label, (before) => changeWorkflow(before, apply))
  const connect = (from: string, to: string) =>
    alter(text('workflow.added', { from: labelOfState(from), to: labelOfState(to) }), (before) =>
      addStep(before, from, to),
    )
  const cut = (from: string, to: string) =>
    alter(text('workflow.removed', { from: labelOfState(from), to: labelOfState(to) }), (before) =>
      removeStep(before, from, to),
    )
  const isFresh = ({ from, to }: WorkflowStep) =>
    stored.workflow?.field !== workflow?.field || !hasStep(stored.workflow, from, to)
  const rules = rulesOf(workflow)
  const rule = opened && rules.find(({ to, from }) => to === opened.to && from.includes(opened.from))
  return (
    <AdministrationScreen title={text('administration.workflow')} lead={text('workflow.lead')}>
      <Panel title={text('workflow.settings')} actions={<HelpLink topic="workflow" />}>
        <div className={styles['pair']}>
          <ChoiceMenu
            label={text('workflow.field')}
            isWide
            hint={lists.length === 0 ? text('workflow.no_list') : text('workflow.field.hint')}
            value={workflow?.field ?? NONE}
            options={[
              { value: NONE, label: text('workflow.none') },
              ...lists.map((each) => ({ value: each.name, label: elementLabel(each) })),
            ]}
            onChange={(name) =>
              change(text('workflow.field.changed'), (before) => ({
                ...before,
                workflow: name === NONE ? null : { field: name, used: true, mode: 'simple', states: [] },
              }))
            }
          />
          {workflow && (
            <ChoiceMenu
              label={text('workflow.mode')}
              isWide
              hint={text(`workflow.mode.${workflow.mode ?? 'simple'}.hint`)}
              value={workflow.mode ?? 'simple'}
              options={(['simple', 'advanced'] as const).map((value) => ({
                value,
                label: text(`workflow.mode.${value}`),
              }))}
              onChange={(mode) =>
                alter(text('workflow.mode.changed'), (before) => withSteps({ ...before, mode }, stepsOf(before)))
              }
            />
          )}
          {workflow && (
            <ChoiceInput
              label={text('workflow.used')}
              hint={text('workflow.used.hint')}
              checked={workflow.used ?? true}
              onChange={({ target }) =>
                alter(text(target.checked ? 'workflow.switched_on' : 'workflow.switched_off'), (before) => ({
                  ...before,
                  used: target.checked,
                }))
              }
            />
          )}
        </div>
      </Panel>
      {workflow && (
        <>
          <Panel
            title={text('workflow.graph')}
            isList
            actions={
              <Button onPress={() => setAdding(true)}>
                <Icon of={Plus} />
                {text('workflow.add')}
              </Button>
            }
          >
            <WorkflowGraph
              label={text('workflow.graph')}
              states={states}
              steps={steps}
              isFresh={isFresh}
              counts={counts}
              progressOf={definedProgress(definition, field?.name)}
              onConnect={connect}
              onOpen={setOpened}
            />
          </Panel>
          <Panel title={text('workflow.table')} lead={text('workflow.table.lead')} isList>
            <Matrix
              label={text('workflow.table')}
              corner={text('workflow.from_to')}
              rows={[NEW, ...states.map(({ key }) => key)].map((key) => ({ key, label: labelOfState(key) }))}
              columns={states.map(({ key, label }) => ({ key, label }))}
              cell={(from, to) => {
                if (from === to) return undefined
                const isChecked = hasStep(workflow, from, to)
                return {
                  isChecked,
                  label: text('workflow.step', { from: labelOfState(from), to: labelOfState(to) }),
                  onToggle: () => (isChecked ? cut(from, to) : connect(from, to)),
                }
              }}
            />
          </Panel>
          <Rules rules={rules} labelOfState={labelOfState} onEdit={setOpened} />
        </>
      )}
      {isAdding && (
        <AddTransition
          sources={[{ key: NEW, label: labelOfState(NEW) }, ...states]}
          targets={states}
          steps={steps}
          onAdd={connect}
          onClose={() => setAdding(false)}
        />
      )}
      {rule && opened && (
        <RuleDialog
          rule={rule}
          opened={opened}
          labelOfState={labelOfState}
          onRemove={() => cut(opened.from, opened.to)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </AdministrationScreen>
  )
}

interface RulesProps {
  readonly rules: readonly WorkflowRule[]
  readonly labelOfState: (key: string) => string
  readonly onEdit: (opened: { to: string; from: string }) => void
}

function Rules({ rules, labelOfState, onEdit }: RulesProps) {
  const { definition, groups } = useDraft()
  return (
    <Panel title={text('workflow.rules')} count={rules.length} lead={text('workflow.rules.lead')} isList>
      {rules.length === 0 && <Empty>{text('workflow.rules.none')}</Empty>}
      <ul className={rows['rows']}>
        {rules.map((rule) => {
          const places = { from: rule.from.map(labelOfState).join(', '), to: labelOfState(rule.to) }
          return (
            <li key={`${rule.from.join(' ')} ${rule.to}`}>
              <div>
                <span className={rows['title']}>{text('workflow.step', places)}</span>
                <p className={styles['quiet']}>{describeConditions(rule.conditions, definition, groups)}</p>
                {rule.actions.length > 0 && (
                  <p className={styles['quiet']}>{describeActions(rule.actions, definition)}</p>
                )}
              </div>
              <Button
                aria-label={text('workflow.conditions_of', places)}
                onPress={() => onEdit({ to: rule.to, from: rule.from[0] ?? NEW })}
              >
                {text('workflow.conditions')}
              </Button>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

/** The number of artifacts by value, if the field is stored. */
function useCounts(field: FormElement | undefined): ReadonlyMap<string, number> {
  const { tracker, stored } = useDraft()
  const before = field && [...everyElement(stored.elements)].find(({ name }) => name === field.name)
  const { data } = useQuery({
    queryKey: ['trackers', tracker.id, 'counts', field?.name],
    enabled: before !== undefined,
    queryFn: () =>
      read(
        api.call('GET /trackers/{id}/artifacts/groups', {
          path: { id: tracker.id },
          query: { by: field?.name ?? '', empty: true },
        }),
      ),
  })
  if (!data || !('groups' in data) || before?.bind?.type !== 'static') return new Map()
  const labels = new Map(before.bind.values.map(({ label, key }) => [label, key]))
  return new Map(
    data.groups.flatMap(({ key: [value], count }): [string, number][] => {
      const isValue = typeof value === 'object' && value !== null && 'label' in value
      const key = isValue ? labels.get(value.label ?? '') : undefined
      return key === undefined ? [] : [[key, count]]
    }),
  )
}

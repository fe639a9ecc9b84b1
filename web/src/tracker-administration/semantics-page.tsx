import type { SemanticsDefinition } from '@waypost/sdk/api'
import { ChoiceInput, ChoiceGroup, SelectField } from '../design/field.tsx'
import { Panel } from '../design/page.tsx'
import type { FieldType } from '../field-types/field-type.ts'
import { fieldType } from '../field-types/field-types.ts'
import { type TrackerAdministrationMessageKey, text } from './messages.ts'
import type { Definition, FormElement, DefinedListValue } from './definition.ts'
import { useDraft } from './draft.ts'
import { elementLabel } from './element-types.ts'
import styles from './form.module.css'
import { AdministrationScreen } from './screen.tsx'
import { everyElement } from './tree.ts'

type SemanticRole = NonNullable<FieldType['semantics']>[number]
type One = 'title' | 'description' | 'contributor' | 'initial_effort'
const NONE = ''

/** The fields with a meaning for titles, boards, charts and mails. */
export function SemanticsPage() {
  const { definition, change } = useDraft()
  const { semantics } = definition
  const elements = [...everyElement(definition.elements)]
  const fit = (role: SemanticRole) => elements.filter((element) => fieldType(element).semantics?.includes(role))
  const amounts = fit('amount')
  const lengths = fit('days')
  const dates = fit('day')
  const statuses = elements.filter(isStaticListElement)
  const set = (label: TrackerAdministrationMessageKey, members: SemanticsDefinition) =>
    change(text('semantics.changed', { what: text(label) }), (before) => withSemantics(before, members))
  const one = (name: One, fields: readonly FormElement[]) => (
    <FieldChoice
      label={text(`semantics.${name}`)}
      hint={text(`semantics.${name}.hint`)}
      value={semantics[name] ?? null}
      fields={fields}
      onChange={(value) => set(`semantics.${name}`, { [name]: value })}
    />
  )
  const { status, timeframe, progress } = semantics
  const values = staticListValues(elements.find(({ name }) => name === status?.field))
  const span = timeframe && 'start' in timeframe ? timeframe : undefined
  const implied = timeframe && 'implied_from' in timeframe ? timeframe.implied_from : undefined
  const end = span && 'end' in span ? span.end : null
  const duration = span && 'duration' in span ? span.duration : null
  const sums = progress && 'total' in progress ? progress : undefined
  return (
    <AdministrationScreen title={text('administration.semantics')} lead={text('semantics.lead')}>
      <Panel title={text('semantics.words')}>
        <div className={styles['pair']}>
          {one('title', fit('title'))}
          {one('description', fit('description'))}
          {one(
            'contributor',
            elements.filter(({ bind }) => bind?.type === 'users'),
          )}
          {one('initial_effort', [...amounts, ...statuses.filter(isNumeric)])}
        </div>
      </Panel>
      <Panel title={text('semantics.status')} lead={text('semantics.status.lead')}>
        <FieldChoice
          label={text('semantics.status.field')}
          value={status?.field ?? null}
          fields={statuses}
          onChange={(field) => {
            const open = staticListValues(elements.find(({ name }) => name === field)).map(({ key }) => key)
            set('semantics.status', { status: field === null ? null : { field, open }, done: null })
          }}
        />
        {status && (
          <Values
            label={text('semantics.open')}
            values={values}
            chosen={status.open}
            onChange={(open) => {
              const done = (semantics.done ?? []).filter((key) => !open.includes(key))
              set('semantics.status', { status: { ...status, open }, done: done.length === 0 ? null : done })
            }}
          />
        )}
        {status && (
          <Values
            label={text('semantics.done')}
            hint={text('semantics.done.hint')}
            values={values.filter(({ key }) => !status.open.includes(key))}
            chosen={semantics.done ?? []}
            onChange={(done) => set('semantics.done', { done: done.length === 0 ? null : done })}
          />
        )}
      </Panel>
      <Panel title={text('semantics.timeframe')} lead={text('semantics.timeframe.lead')}>
        {implied !== undefined && <p>{text('semantics.implied', { tracker: implied })}</p>}
        <div className={styles['pair']}>
          <FieldChoice
            label={text('semantics.start')}
            value={span?.start ?? null}
            fields={dates}
            onChange={(start) =>
              set('semantics.timeframe', {
                timeframe: start === null ? null : timeframeOf(start, end, duration, dates, lengths),
              })
            }
          />
          {span && (
            <SelectField
              label={text('semantics.until')}
              value={end ?? duration ?? NONE}
              options={[...dates.filter(({ name }) => name !== span.start), ...lengths].map((each) => ({
                value: each.name,
                label: text(dates.includes(each) ? 'semantics.until.end' : 'semantics.until.days', {
                  name: elementLabel(each),
                }),
              }))}
              onChange={(name) => {
                const isDay = dates.some((each) => each.name === name)
                const { start } = span
                set('semantics.timeframe', { timeframe: isDay ? { start, end: name } : { start, duration: name } })
              }}
            />
          )}
        </div>
      </Panel>
      <Panel title={text('semantics.progress')} lead={text('semantics.progress.lead')}>
        {progress && 'link_type' in progress && <p>{text('semantics.progress.links', { type: progress.link_type })}</p>}
        <div className={styles['pair']}>
          <FieldChoice
            label={text('semantics.total')}
            value={sums?.total ?? null}
            fields={amounts}
            onChange={(total) => {
              const remaining = sums?.remaining ?? amounts.find(({ name }) => name !== total)?.name ?? total
              const chosen = total === null || remaining === null ? null : { total, remaining }
              set('semantics.progress', { progress: chosen })
            }}
          />
          {sums && (
            <FieldChoice
              label={text('semantics.remaining')}
              value={sums.remaining}
              fields={amounts}
              onChange={(remaining) =>
                set('semantics.progress', { progress: remaining === null ? null : { ...sums, remaining } })
              }
            />
          )}
        </div>
      </Panel>
      <Panel title={text('semantics.tooltip')} lead={text('semantics.tooltip.lead')}>
        <Values
          label={text('semantics.tooltip')}
          isBare
          values={elements
            .filter((each) => fieldType(each).kind === 'field')
            .map((each) => ({ key: each.name, label: elementLabel(each) }))}
          chosen={semantics.tooltip ?? []}
          onChange={(tooltip) => set('semantics.tooltip', { tooltip })}
        />
      </Panel>
    </AdministrationScreen>
  )
}

function withSemantics(before: Definition, members: SemanticsDefinition): Definition {
  return { ...before, semantics: { ...before.semantics, ...members } }
}

/** Missing members default to the first field that fits. */
function timeframeOf(
  start: string,
  end: string | null,
  duration: string | null,
  dates: readonly FormElement[],
  lengths: readonly FormElement[],
): NonNullable<SemanticsDefinition['timeframe']> | null {
  if (duration !== null) return { start, duration }
  const until = end !== null && end !== start ? end : dates.find(({ name }) => name !== start)?.name
  if (until !== undefined) return { start, end: until }
  const length = lengths[0]?.name
  return length === undefined ? null : { start, duration: length }
}

export function isStaticListElement({ bind, ...element }: FormElement): boolean {
  return bind?.type === 'static' && fieldType(element).list === 'one'
}

function isNumeric({ bind }: FormElement): boolean {
  return bind?.type === 'static' && bind.values.every(({ label }) => /^\s*-?\d+([.,]\d+)?\s*$/.test(label))
}

export function staticListValues(element: FormElement | undefined): readonly DefinedListValue[] {
  return element?.bind?.type === 'static' ? element.bind.values.filter(({ hidden }) => !hidden) : []
}

interface FieldChoiceProps {
  readonly label: string
  readonly hint?: string
  readonly value: string | null
  readonly fields: readonly FormElement[]
  readonly onChange: (name: string | null) => void
}

function FieldChoice({ label, hint, value, fields, onChange }: FieldChoiceProps) {
  const known = fields.map((each) => ({ value: each.name, label: elementLabel(each) }))
  // A value that is no longer valid stays visible while it is selected.
  const stray = value !== null && known.every((each) => each.value !== value) ? [{ value, label: value }] : []
  const none = { value: NONE, label: text(fields.length === 0 ? 'semantics.no_field' : 'semantics.none') }
  return (
    <SelectField
      label={label}
      hint={hint}
      value={value ?? NONE}
      options={[none, ...known, ...stray]}
      onChange={(name) => onChange(name === NONE ? null : name)}
    />
  )
}

interface ValuesProps {
  readonly label: string
  readonly hint?: string
  readonly isBare?: boolean
  readonly values: readonly { readonly key: string; readonly label: string }[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
}

export function Values({ label, hint, isBare, values, chosen, onChange }: ValuesProps) {
  return (
    <ChoiceGroup label={label} hint={values.length === 0 ? text('semantics.no_value') : hint} isBare={isBare}>
      {values.map((each) => (
        <ChoiceInput
          key={each.key}
          label={each.label}
          checked={chosen.includes(each.key)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, each.key] : chosen.filter((key) => key !== each.key))
          }
        />
      ))}
    </ChoiceGroup>
  )
}

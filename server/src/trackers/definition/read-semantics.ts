import { findFieldType } from '../field-types/field-types.ts'
import type { Element, FieldId, ListValueId, Semantics } from '../tracker.ts'
import { pointer } from './problems.ts'
import {
  resolveElement,
  resolveElements,
  resolveValues,
  type DefinitionForm,
  type DefinitionContext,
} from './definition-context.ts'
import type { SemanticsDocument } from './schemas.ts'

type Fit = (element: Element) => boolean

const isAmount: Fit = ({ type }) => findFieldType(type)?.isAmount === true
const isNumberOfDays: Fit = (element) => isAmount(element) && findFieldType(element.type)?.unit === undefined
const isText: Fit = ({ type }) => findFieldType(type)?.texts !== undefined
const isMultilineText: Fit = ({ type }) => findFieldType(type)?.isMultiline === true
const isWritableDate: Fit = ({ type }) => {
  const { dateOf, isWritable } = findFieldType(type) ?? {}
  return dateOf !== undefined && isWritable === true
}
const isNumericList: Fit = ({ bind, type }) =>
  isOneValued({ type }) &&
  bind?.type === 'static' &&
  bind.values.every(({ label }) => /^\s*-?\d+([.,]\d+)?\s*$/.test(label))

/** A single-value list with static values. */
export const isSingleStaticList: Fit = ({ type, bind }) => isOneValued({ type }) && bind?.type === 'static'

function isOneValued({ type }: Pick<Element, 'type'>): boolean {
  return findFieldType(type)?.list === 'one'
}

/** Parses the semantics: the role of each field. */
export function readSemantics(given: SemanticsDocument, form: DefinitionForm, reading: DefinitionContext): Semantics {
  const at = (...members: string[]) => pointer('/semantics', ...members)
  const find = (name: string, isFit: Fit, ...members: string[]) =>
    resolveElement(name, at(...members), form, reading, isFit)
  const one = (member: 'title' | 'description' | 'contributor' | 'initial_effort', isFit: Fit): FieldId | null => {
    const name = given[member]
    return name === undefined || name === null ? null : (find(name, isFit, member)?.id ?? null)
  }
  const status = readStatus(given.status, find, reading)
  return {
    title: one('title', isText),
    description: one('description', isMultilineText),
    status: status && { field_id: status.field.id, open: status.open },
    contributor: one('contributor', ({ bind }) => bind?.type === 'users'),
    timeframe: readTimeframe(given.timeframe, find, reading),
    progress: readProgress(given.progress, find, reading),
    initial_effort: one('initial_effort', (element) => isAmount(element) || isNumericList(element)),
    done: readDone(given.done, status, reading),
    tooltip: resolveElements(given.tooltip ?? [], at('tooltip'), form, reading),
  }
}

type Find = (name: string, isFit: Fit, ...members: string[]) => Element | undefined
interface Status {
  readonly field: Element
  readonly open: readonly ListValueId[]
}

function readStatus(given: SemanticsDocument['status'], find: Find, reading: DefinitionContext): Status | null {
  const field = given && find(given.field, isSingleStaticList, 'status', 'field')
  return field ? { field, open: resolveValues(given.open, '/semantics/status/open', field, reading) } : null
}

function readTimeframe(
  given: SemanticsDocument['timeframe'],
  find: Find,
  { world, problems }: DefinitionContext,
): Semantics['timeframe'] {
  if (!given) return null
  if ('implied_from' in given) {
    const tracker = world.trackerNamed(given.implied_from)
    if (!tracker) problems.add('/semantics/timeframe/implied_from', 'reference_unknown', { rule: 'exists' })
    return tracker ? { implied_from: tracker.id } : null
  }
  const start = find(given.start, isWritableDate, 'timeframe', 'start')?.id
  if ('end' in given) {
    const end = find(given.end, isWritableDate, 'timeframe', 'end')?.id
    return start !== undefined && end !== undefined ? { start, end } : null
  }
  const duration = find(given.duration, isNumberOfDays, 'timeframe', 'duration')?.id
  return start !== undefined && duration !== undefined ? { start, duration } : null
}

function readProgress(
  given: SemanticsDocument['progress'],
  find: Find,
  { world, problems }: DefinitionContext,
): Semantics['progress'] {
  if (!given) return null
  if ('link_type' in given) {
    const { link_type } = given
    if (!world.linkTypes.has(link_type))
      problems.add('/semantics/progress/link_type', 'reference_unknown', { rule: 'exists' })
    return { link_type }
  }
  const total = find(given.total, isAmount, 'progress', 'total')?.id
  const remaining = find(given.remaining, isAmount, 'progress', 'remaining')?.id
  return total !== undefined && remaining !== undefined ? { total, remaining } : null
}

/** Only closed values can be done. */
function readDone(
  keys: SemanticsDocument['done'],
  status: Status | null,
  reading: DefinitionContext,
): ListValueId[] | null {
  if (!keys || keys.length === 0) return null
  if (!status) {
    reading.problems.add('/semantics/done', 'parameter_required', { rule: 'required' })
    return null
  }
  const done = resolveValues(keys, '/semantics/done', status.field, reading)
  if (done.some((id) => status.open.includes(id))) reading.problems.add('/semantics/done', 'parameter_conflict')
  return done
}

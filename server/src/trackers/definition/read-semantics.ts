import { findFieldType } from '../fields/field-types.ts'
import type { Element, FieldId, ListValueId, Semantics } from '../tracker.ts'
import { pointer } from './problems.ts'
import { findElement, findElements, findValues, type Form, type Reading } from './reading.ts'
import type { SemanticsDocument } from './schemas.ts'

type Fit = (element: Element) => boolean

const isOf =
  (...types: readonly string[]): Fit =>
  ({ type }) =>
    types.includes(type)
const isAmount = isOf('int', 'float', 'computed')
const isNumericList: Fit = ({ bind, type }) =>
  isOneValued({ type }) &&
  bind?.type === 'static' &&
  bind.values.every(({ label }) => /^\s*-?\d+([.,]\d+)?\s*$/.test(label))

/** A list of which an artifact has one of the values that the tracker defines, or none. */
export const isStaticChoice: Fit = ({ type, bind }) => isOneValued({ type }) && bind?.type === 'static'

function isOneValued({ type }: Pick<Element, 'type'>): boolean {
  return findFieldType(type)?.list === 'one'
}

/** Which field means what. */
export function readSemantics(given: SemanticsDocument, form: Form, reading: Reading): Semantics {
  const at = (...members: string[]) => pointer('/semantics', ...members)
  const find = (name: string, isFit: Fit, ...members: string[]) =>
    findElement(name, at(...members), form, reading, isFit)
  const one = (member: 'title' | 'description' | 'contributor' | 'initial_effort', isFit: Fit): FieldId | null => {
    const name = given[member]
    return name === undefined || name === null ? null : (find(name, isFit, member)?.id ?? null)
  }
  const status = readStatus(given.status, find, reading)
  return {
    title: one('title', isOf('string', 'text')),
    description: one('description', isOf('text')),
    status: status && { field_id: status.field.id, open: status.open },
    contributor: one('contributor', ({ bind }) => bind?.type === 'users'),
    timeframe: readTimeframe(given.timeframe, find, reading),
    progress: readProgress(given.progress, find, reading),
    initial_effort: one('initial_effort', (element) => isAmount(element) || isNumericList(element)),
    done: readDone(given.done, status, reading),
    tooltip: findElements(given.tooltip ?? [], at('tooltip'), form, reading),
  }
}

type Find = (name: string, isFit: Fit, ...members: string[]) => Element | undefined
interface Status {
  readonly field: Element
  readonly open: readonly ListValueId[]
}

function readStatus(given: SemanticsDocument['status'], find: Find, reading: Reading): Status | null {
  const field = given && find(given.field, isStaticChoice, 'status', 'field')
  return field ? { field, open: findValues(given.open, '/semantics/status/open', field, reading) } : null
}

function readTimeframe(
  given: SemanticsDocument['timeframe'],
  find: Find,
  { world, problems }: Reading,
): Semantics['timeframe'] {
  if (!given) return null
  if ('implied_from' in given) {
    const tracker = world.trackerNamed(given.implied_from)
    if (!tracker) problems.add('/semantics/timeframe/implied_from', 'reference_unknown', { rule: 'exists' })
    return tracker ? { implied_from: tracker.id } : null
  }
  const start = find(given.start, isOf('date'), 'timeframe', 'start')?.id
  if ('end' in given) {
    const end = find(given.end, isOf('date'), 'timeframe', 'end')?.id
    return start !== undefined && end !== undefined ? { start, end } : null
  }
  const duration = find(given.duration, isAmount, 'timeframe', 'duration')?.id
  return start !== undefined && duration !== undefined ? { start, duration } : null
}

function readProgress(
  given: SemanticsDocument['progress'],
  find: Find,
  { world, problems }: Reading,
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

/** Only what is closed can be done. */
function readDone(keys: SemanticsDocument['done'], status: Status | null, reading: Reading): ListValueId[] | null {
  if (!keys || keys.length === 0) return null
  if (!status) {
    reading.problems.add('/semantics/done', 'parameter_required', { rule: 'required' })
    return null
  }
  const done = findValues(keys, '/semantics/done', status.field, reading)
  if (done.some((id) => status.open.includes(id))) reading.problems.add('/semantics/done', 'parameter_conflict')
  return done
}

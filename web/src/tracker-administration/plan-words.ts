import type { TrackerPlan } from '@waypost/sdk/api'
import { counted, isText, text } from './words.ts'
import type { Definition } from './definition.ts'
import type { Group } from './definition-query.ts'
import { labelOf } from './element-types.ts'
import { wordsIn } from './properties.tsx'
import { elementsOf } from './tree.ts'
import { NEW, statesOf } from './workflow.ts'

type Planned = TrackerPlan['changes'][number]

export interface Told {
  readonly title: string
  /** What of it becomes what. */
  readonly details: readonly string[]
  readonly impact: readonly string[]
}

export interface Surroundings {
  readonly wanted: Definition
  readonly stored: Definition
  readonly groups: readonly Group[]
}

/** What people call what the document names. */
type Names = ReadonlyMap<string, string>

interface Named {
  readonly name?: unknown
  readonly label?: unknown
  readonly type?: unknown
}

function namesIn(definition: Definition, groups: readonly Group[]): Names {
  return new Map([
    [NEW, text('workflow.new')],
    ...elementsOf(definition).map((each) => [each.name, labelOf(each)] as const),
    ...groups.map(({ name, label }) => [name, label] as const),
    ...statesOf(definition).map(({ key, label }) => [key, label] as const),
  ])
}

/** A planned change, in words. */
export function tellChange(change: Planned, { wanted, stored, groups }: Surroundings): Told {
  const names = namesIn(wanted, groups)
  const { op, path, from, to, impact } = change
  const element = /^\/(?:unused_)?elements\//.test(path)
  const impacts = [
    ...(element
      ? [
          impact.artifacts === 0
            ? text('administration.impact_none')
            : counted('administration.impact_one', 'administration.impact', impact.artifacts),
        ]
      : []),
    ...(impact.reports > 0
      ? [counted('administration.impact.reports_one', 'administration.impact.reports', impact.reports)]
      : []),
  ]
  if (!element) return { title: memberLabel(path.slice(1)), details: differences(from, to, names), impact: impacts }
  const field = path.replace(/\/bind\/values\/\d+$/, '')
  const documents = op === 'delete' ? [stored, wanted] : [wanted, stored]
  if (field !== path) {
    const owner = documents.map((document) => at(document, field)).find((each) => each !== undefined)
    const places = { value: nameIn(to ?? from), field: nameIn(owner) }
    const details = op === 'change' ? differences(from, to, names) : []
    return { title: text(`administration.plan.value.${op}`, places), details, impact: impacts }
  }
  if (isPlace(to)) {
    const moved = documents.map((document) => at(document, to.path)).find((each) => each !== undefined)
    return { title: text('administration.plan.moved', { name: nameIn(moved) }), details: [], impact: [] }
  }
  const title = text(`administration.plan.${op}`, { name: nameIn(to ?? from) })
  return { title, details: op === 'change' ? differences(from, to, names) : [], impact: impacts }
}

/** What a JSON Pointer points to. */
function at(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((place, member) => entriesOf(place).get(member), document)
}

function entriesOf(value: unknown): Map<string, unknown> {
  return new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

/** Of the form only: what artifacts have stays as it is. */
export function isMove({ to }: Pick<Planned, 'to'>): boolean {
  return isPlace(to)
}

function isPlace(value: unknown): value is { path: string } {
  const entries = entriesOf(value)
  return entries.size === 1 && typeof entries.get('path') === 'string'
}

function nameIn(value: unknown): string {
  const { label, name, type }: Named = typeof value === 'object' && value !== null ? value : {}
  if (typeof label === 'string' && typeof type === 'string') return labelOf({ label, type })
  return wordsIn(label ?? name)
}

/** Names of members as people call them. */
export function memberLabel(name: string): string {
  const known = `administration.member.${name}`
  return isText(known) ? text(known) : name
}

function differences(from: unknown, to: unknown, names: Names): string[] {
  return compare('', steps(from, names), steps(to, names), names)
}

/** Steps of a workflow are told by what they lead from and to. */
function steps(value: unknown, names: Names): unknown {
  const entries = entriesOf(value)
  const states = entries.get('states') ?? entries.get('transitions')
  if (!Array.isArray(states)) return value
  const named = states.flatMap((state: unknown) => {
    const { to, from, ...rest } = Object.fromEntries(entriesOf(state))
    const sources: unknown[] = Array.isArray(from) ? from : [from]
    return sources.map((source) => [text('workflow.step', { from: shown(source, names), to: shown(to, names) }), rest])
  })
  const { states: _, transitions: __, ...head } = Object.fromEntries(entries)
  return { ...head, ...Object.fromEntries(named) }
}

function compare(name: string, from: unknown, to: unknown, names: Names): string[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return []
  const label = memberLabel(name)
  if (Array.isArray(from) && Array.isArray(to)) {
    const added = to.filter((each) => !from.includes(each))
    const removed = from.filter((each) => !to.includes(each))
    if (added.length + removed.length === 0) return [text('administration.plan.reordered', { name: label })]
    return [
      ...(added.length > 0 ? [text('administration.plan.gets', { name: label, what: shown(added, names) })] : []),
      ...(removed.length > 0 ? [text('administration.plan.loses', { name: label, what: shown(removed, names) })] : []),
    ]
  }
  const [old, fresh] = [entriesOf(from), entriesOf(to)]
  if (from === undefined) return [text('administration.plan.added', { name: label })]
  if (to === undefined) return [text('administration.plan.removed', { name: label })]
  if (old.size > 0 && fresh.size > 0) {
    const members = new Set([...old.keys(), ...fresh.keys()])
    return [...members].flatMap((member) =>
      compare(member, old.get(member), fresh.get(member), names).map((line) =>
        name === '' ? line : text('administration.plan.within', { name: label, line }),
      ),
    )
  }
  return [text('administration.plan.becomes', { name: label, from: shown(from, names), to: shown(to, names) })]
}

function shown(value: unknown, names: Names): string {
  if (value === null || value === undefined || value === '') return text('administration.nothing')
  if (typeof value === 'boolean') return text(value ? 'administration.yes' : 'administration.no')
  if (Array.isArray(value)) return value.map((each) => shown(each, names)).join(', ')
  if (typeof value === 'object') return [...entriesOf(value).values()].map((each) => shown(each, names)).join(', ')
  const written = wordsIn(value)
  return names.get(written) ?? written
}

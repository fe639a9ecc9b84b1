import type { TrackerPlan } from '@waypost/sdk/api'
import { isText, text } from './messages.ts'
import type { Definition } from './definition.ts'
import type { GrantableGroup } from './definition-query.ts'
import { elementLabel } from './element-types.ts'
import { toDisplayText } from './properties.tsx'
import { elementsOf } from './tree.ts'
import { NEW, workflowStates } from './workflow.ts'

type Planned = TrackerPlan['changes'][number]

export interface ChangeDescription {
  readonly title: string
  /** The members that change, with their old and new values. */
  readonly details: readonly string[]
  readonly impact: readonly string[]
}

export interface PlanContext {
  readonly wanted: Definition
  readonly stored: Definition
  readonly groups: readonly GrantableGroup[]
}

/** Labels by the names in the document. */
type Names = ReadonlyMap<string, string>

interface Named {
  readonly name?: unknown
  readonly label?: unknown
  readonly type?: unknown
}

function collectNames(definition: Definition, groups: readonly GrantableGroup[]): Names {
  return new Map([
    [NEW, text('workflow.new')],
    ...elementsOf(definition).map((each) => [each.name, elementLabel(each)] as const),
    ...groups.map(({ name, label }) => [name, label] as const),
    ...workflowStates(definition).map(({ key, label }) => [key, label] as const),
  ])
}

/** Describes a planned change. */
export function describeChange(change: Planned, { wanted, stored, groups }: PlanContext): ChangeDescription {
  const names = collectNames(wanted, groups)
  const { op, path, from, to, impact } = change
  const element = /^\/(?:unused_)?elements\//.test(path)
  const impacts = [
    ...(element
      ? [
          impact.artifacts === 0
            ? text('administration.impact_none')
            : text('administration.impact', { count: impact.artifacts }),
        ]
      : []),
    ...(impact.reports > 0 ? [text('administration.impact.reports', { count: impact.reports })] : []),
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

/** Resolves a JSON Pointer. */
function at(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((place, member) => entriesOf(place).get(member), document)
}

function entriesOf(value: unknown): Map<string, unknown> {
  return new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

/** True for a change of position only, which does not affect artifacts. */
export function isMove({ to }: Pick<Planned, 'to'>): boolean {
  return isPlace(to)
}

function isPlace(value: unknown): value is { path: string } {
  const entries = entriesOf(value)
  return entries.size === 1 && typeof entries.get('path') === 'string'
}

function nameIn(value: unknown): string {
  const { label, name, type }: Named = typeof value === 'object' && value !== null ? value : {}
  if (typeof label === 'string' && typeof type === 'string') return elementLabel({ label, type })
  return toDisplayText(label ?? name)
}

/** The label of a member of the document. */
export function memberLabel(name: string): string {
  const known = `administration.member.${name}`
  return isText(known) ? text(known) : name
}

function differences(from: unknown, to: unknown, names: Names): string[] {
  return compare('', steps(from, names), steps(to, names), names)
}

/** Workflow steps are described by their source and target. */
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
  const written = toDisplayText(value)
  return names.get(written) ?? written
}

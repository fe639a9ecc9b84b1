import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { numberIn, recordsIn } from './loose.ts'

/** An element of a form, with those in it. */
export interface Node {
  readonly field: TrackerField
  readonly content: readonly Node[]
}

/** The form as the tracker has it, without what one may not read. */
export function fieldTree({ structure, fields }: Tracker): readonly Node[] {
  const byId = new Map(fields.map((field) => [field.field_id, field]))
  return nodesIn(structure, byId)
}

function nodesIn(content: unknown, byId: ReadonlyMap<number, TrackerField>): readonly Node[] {
  return recordsIn(content).flatMap(({ id, content: inside }) => {
    const field = byId.get(numberIn(id) ?? 0)
    return field ? [{ field, content: nodesIn(inside, byId) }] : []
  })
}

const CONTAINERS = ['fieldset', 'column']
const STATICS = ['linebreak', 'separator', 'staticrichtext']

export function isContainer({ type }: TrackerField): boolean {
  return CONTAINERS.includes(type)
}

export function isField(field: TrackerField): boolean {
  return !isContainer(field) && !STATICS.includes(field.type)
}

/** Leaves out fields, fieldsets that the workflow hides in this state, and what is then empty. */
export function pruned(nodes: readonly Node[], keep: (field: TrackerField) => boolean): readonly Node[] {
  return nodes.flatMap(({ field, content }) => {
    if (!isContainer(field)) return !isField(field) || keep(field) ? [{ field, content }] : []
    const kept = field.is_hidden === true ? [] : pruned(content, keep)
    return kept.some((node) => isContainer(node.field) || isField(node.field)) ? [{ field, content: kept }] : []
  })
}

export interface Group {
  readonly heading: TrackerField | undefined
  readonly nodes: readonly Node[]
}

/** The fieldsets; what stands outside of them is a group without a name. */
export function groupsOf(nodes: readonly Node[]): readonly Group[] {
  const groups: { heading: TrackerField | undefined; nodes: Node[] }[] = []
  for (const node of nodes)
    if (node.field.type === 'fieldset') groups.push({ heading: node.field, nodes: [...node.content] })
    else {
      const last = groups.at(-1)
      if (last && !last.heading) last.nodes.push(node)
      else groups.push({ heading: undefined, nodes: [node] })
    }
  return groups
}

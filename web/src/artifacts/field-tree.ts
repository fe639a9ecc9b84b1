import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { fieldType } from '../field-types/field-types.ts'
import { jsonNumber, jsonObjects } from '../json.ts'

/** An element of a form with its children. */
export interface FieldNode {
  readonly field: TrackerField
  readonly content: readonly FieldNode[]
}

/** The form of the tracker, without fields that the viewer may not read. */
export function fieldTree({ structure, fields }: Tracker): readonly FieldNode[] {
  const byId = new Map(fields.map((field) => [field.field_id, field]))
  return parseNodes(structure, byId)
}

function parseNodes(content: unknown, byId: ReadonlyMap<number, TrackerField>): readonly FieldNode[] {
  return jsonObjects(content).flatMap(({ id, content: inside }) => {
    const field = byId.get(jsonNumber(id) ?? 0)
    return field ? [{ field, content: parseNodes(inside, byId) }] : []
  })
}

function isContainer(field: TrackerField): boolean {
  return fieldType(field).kind === 'container'
}

function isField(field: TrackerField): boolean {
  return fieldType(field).kind === 'field'
}

export function isStatic(field: TrackerField): boolean {
  return fieldType(field).kind === 'static'
}

/** Removes filtered fields, fieldsets that the workflow hides in this state, and containers that are then empty. */
export function pruneNodes(nodes: readonly FieldNode[], keep: (field: TrackerField) => boolean): readonly FieldNode[] {
  return nodes.flatMap(({ field, content }) => {
    if (!isContainer(field)) return isStatic(field) || keep(field) ? [{ field, content }] : []
    const kept = field.is_hidden === true ? [] : pruneNodes(content, keep)
    return kept.some((node) => isContainer(node.field) || isField(node.field)) ? [{ field, content: kept }] : []
  })
}

export interface FieldGroup {
  readonly heading: TrackerField | undefined
  readonly nodes: readonly FieldNode[]
}

/** Groups by fieldset; elements outside of fieldsets form a group without a heading. */
export function groupByFieldset(nodes: readonly FieldNode[]): readonly FieldGroup[] {
  const groups: { heading: TrackerField | undefined; nodes: FieldNode[] }[] = []
  for (const node of nodes)
    if (fieldType(node.field).isSection) groups.push({ heading: node.field, nodes: [...node.content] })
    else {
      const last = groups.at(-1)
      if (last && !last.heading) last.nodes.push(node)
      else groups.push({ heading: undefined, nodes: [node] })
    }
  return groups
}

import { isDeepStrictEqual } from 'node:util'
import type { Element } from '../tracker.ts'

/** The changed members of one element, for the audit log. */
export function reportElement(
  id: Element['id'],
  before: readonly Element[],
  after: readonly Element[],
): { before: object; after: object } {
  const [was, is] = [factsOf(id, before), factsOf(id, after)]
  const differs = (name: string) => !isDeepStrictEqual(was.get(name), is.get(name))
  const changedFacts = (facts: ReadonlyMap<string, unknown>) => ({
    field_id: id,
    ...Object.fromEntries([...facts].filter(([name]) => differs(name))),
  })
  return { before: changedFacts(was), after: changedFacts(is) }
}

function factsOf(id: Element['id'], elements: readonly Element[]): ReadonlyMap<string, unknown> {
  const position = elements.findIndex((element) => element.id === id)
  const element = elements[position]
  if (!element) return new Map()
  const { name, label, description, type, is_used, parent_id, bind } = element
  const values = bind?.type === 'static' ? bind.values : []
  const facts = { name, label, description, type, is_used, parent_id, position }
  const limits = Object.fromEntries(values.flatMap((value) => (value.limit ? [[value.id, value.limit]] : [])))
  return new Map(Object.entries({ ...facts, values: values.map((value) => value.label), limits }))
}

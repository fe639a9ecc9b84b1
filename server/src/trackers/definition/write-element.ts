import { toId } from '../../platform/database/ids.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { fieldTypeOf } from '../field-types/field-types.ts'
import type { Bind, Element, UserSource } from '../tracker.ts'
import type { BindDocument, ElementDocument } from './schemas.ts'
import type { ReferenceNames } from './reference-lookup.ts'

/** One element of a document, with every member. */
export function writeElement(element: Element, content: ElementDocument[], names: ReferenceNames): ElementDocument {
  const { name, type, label, description, is_required, notifies, properties, bind, rights } = element
  const fieldType = fieldTypeOf(element)
  const isShared = element.shared_from !== null
  const initial = writeDefault(element, names)
  return {
    name,
    type,
    label,
    description,
    required: is_required,
    notifications: notifies,
    properties: { ...properties },
    // For a shared list, only the default is its own.
    default: fieldType.list === undefined || isShared ? initial : null,
    bind: bind && !isShared ? writeBind(bind, initial, names) : null,
    permissions: rights && {
      read: rights.read.map(names.nameOfGroup),
      submit: rights.submit.map(names.nameOfGroup),
      update: rights.update.map(names.nameOfGroup),
    },
    shared_from: writeShared(element, names),
    content: fieldType.kind === 'container' ? content : null,
  }
}

function writeDefault(element: Element, names: ReferenceNames): unknown {
  const initial = fieldTypeOf(element).writeDefault?.(element) ?? null
  if (!Array.isArray(initial)) return initial
  return initial.map((each: unknown) => {
    if (typeof each !== 'number') return each
    return element.bind?.type === 'users' ? names.loginOf(toId<AccountId>(each)) : names.nameOfGroup(each)
  })
}

function writeBind(bind: Bind, initial: unknown, names: ReferenceNames): BindDocument {
  const chosen = Array.isArray(initial) ? initial.map(String) : []
  if (bind.type === 'static')
    return {
      type: 'static',
      alphabetical: bind.alphabetical,
      values: bind.values.map(({ key, label, description, color, is_hidden, limit }) => {
        return { key, label, description, color, hidden: is_hidden, ...(limit !== undefined && { limit }) }
      }),
      default: chosen,
    }
  if (bind.type === 'users')
    return { type: 'users', sources: bind.sources.map((source) => writeSource(source, names)), default: chosen }
  const offered = bind.values.filter(({ is_hidden }) => !is_hidden)
  return { type: 'ugroups', groups: offered.map(({ group }) => names.nameOfGroup(group)), default: chosen }
}

function writeSource(source: UserSource, { nameOfGroup }: ReferenceNames): string {
  if (typeof source === 'number') return nameOfGroup(source)
  return source === 'registered_users' ? '@registered' : source
}

function writeShared({ shared_from }: Element, { trackers }: ReferenceNames): string | null {
  if (shared_from === null) return null
  for (const { name, elements } of trackers) {
    const original = elements.find(({ id }) => id === shared_from)
    if (original) return `${name}.${original.name}`
  }
  return `@0.@${shared_from}`
}

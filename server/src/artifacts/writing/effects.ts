import { parseReferences } from '../../projects/references/parse-references.ts'
import { argumentsOf } from '../../projects/references/parse-references.ts'
import { kindOf, type ReferenceKind } from '../../projects/references/reference-kind.ts'
import { plainText } from '../../platform/texts/plain-text.ts'
import type { TextFormat } from '../../platform/texts/render-text.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { Element, FieldId, StoredValues } from '../../trackers/tracker.ts'
import type { Changes } from './draft.ts'

interface IndexRow {
  readonly field: FieldId
  readonly value: number
}

interface Difference<T> {
  readonly added: readonly T[]
  readonly removed: readonly T[]
}

interface LinkTo {
  readonly target: number
  readonly type: string
}

export interface Reference {
  readonly field: number
  readonly ref: string
  readonly keyword: string
  readonly value: string
  /** The project that it is meant in: its id, or the short name of another one. */
  readonly of_project: number | string
  readonly target: number | null
}

/** All that follows from new values: what is kept beside them so that others find them. */
export interface Effects {
  readonly people: readonly AccountId[]
  readonly restricted_to: readonly number[] | null
  readonly ids: Difference<IndexRow>
  readonly numbers: Difference<IndexRow>
  readonly links: Difference<LinkTo>
  readonly references: Difference<Reference>
  /** The fields whose words it is found by, if one of them has other words than before. */
  readonly worded: readonly FieldId[]
}

interface World {
  readonly tracker: LoadedTracker
  readonly referenceKinds: readonly ReferenceKind[]
}

export function effectsOf(world: World, before: StoredValues, changes: Changes): Effects {
  const { tracker } = world
  const after: StoredValues = { ...before, ...Object.fromEntries(changes) }
  const changed = [...changes.keys()].flatMap((id) => tracker.byId.get(id) ?? [])
  return {
    people: [...new Set(tracker.elements.flatMap((element) => peopleIn(element, after)))],
    restricted_to: restrictionIn(tracker, after),
    ...indexChanges(changed, before, after),
    links: linksOf(changed, before, after),
    references: referencesOf(world, changed, before, after),
    worded: changed.some(isWorded) ? tracker.elements.filter(isWorded).map(({ id }) => id) : [],
  }
}

export function isWorded(element: Element): boolean {
  return fieldTypeOf(element).texts !== undefined
}

function valueOf({ id }: Element, values: StoredValues): unknown {
  return values[String(id)]
}

function peopleIn(element: Element, values: StoredValues): readonly AccountId[] {
  const stored = valueOf(element, values)
  return stored === undefined ? [] : (fieldTypeOf(element).people?.(stored, element) ?? [])
}

/** Kept while its field is not in use, when it does not count: it will, if the field comes back. */
function restrictionIn({ elements }: LoadedTracker, values: StoredValues): readonly number[] | null {
  const fields = elements.filter(({ type }) => type === 'perm')
  const field = fields.find(({ is_used }) => is_used) ?? fields.find((each) => Array.isArray(valueOf(each, values)))
  const stored = field && valueOf(field, values)
  return Array.isArray(stored) ? stored : null
}

function entries(element: Element, stored: unknown) {
  return stored === undefined ? {} : (fieldTypeOf(element).index?.(stored, element) ?? {})
}

function indexChanges(
  changed: readonly Element[],
  before: StoredValues,
  after: StoredValues,
): Record<'ids' | 'numbers', Difference<IndexRow>> {
  const ids = { added: new Array<IndexRow>(), removed: new Array<IndexRow>() }
  const numbers = { added: new Array<IndexRow>(), removed: new Array<IndexRow>() }
  for (const element of changed) {
    const was = entries(element, valueOf(element, before))
    const is = entries(element, valueOf(element, after))
    compare(element.id, was.ids, is.ids, ids)
    compare(element.id, was.numbers, is.numbers, numbers)
  }
  return { ids, numbers }
}

const NOTHING: readonly number[] = []

function compare(
  field: FieldId,
  was: readonly number[] = NOTHING,
  is: readonly number[] = NOTHING,
  { added, removed }: Record<'added' | 'removed', IndexRow[]>,
): void {
  for (const value of new Set(is)) if (!was.includes(value)) added.push({ field, value })
  for (const value of new Set(was)) if (!is.includes(value)) removed.push({ field, value })
}

/** A link of another type is one that is added: the row takes the new type. */
function linksOf(changed: readonly Element[], before: StoredValues, after: StoredValues): Difference<LinkTo> {
  const field = changed.find(({ type }) => type === 'art_link')
  if (!field) return { added: [], removed: [] }
  const was = linksIn(valueOf(field, before))
  const is = linksIn(valueOf(field, after))
  return {
    added: is.filter(({ target, type }) => !was.some((each) => each.target === target && each.type === type)),
    removed: was.filter(({ target }) => !is.some((each) => each.target === target)),
  }
}

export function linksIn(stored: unknown): LinkTo[] {
  if (typeof stored !== 'object' || stored === null) return []
  return Object.entries(stored).map(([target, type]) => ({ target: Number(target), type: String(type) }))
}

function referencesOf(
  world: World,
  changed: readonly Element[],
  before: StoredValues,
  after: StoredValues,
): Difference<Reference> {
  const added: Reference[] = []
  const removed: Reference[] = []
  for (const element of changed) {
    const type = fieldTypeOf(element)
    if (!type.texts) continue
    const textsIn = (values: StoredValues) => {
      const stored = valueOf(element, values)
      return stored === undefined ? [] : (type.texts?.(stored) ?? [])
    }
    const is = new Map(
      textsIn(after)
        .flatMap((text) => findIn(world, element.id, text))
        .map((each) => [each.ref, each]),
    )
    added.push(...is.values()) // What is there already is not added twice.
    // Whatever looks like one may have been known when it was written.
    const was = new Map(
      textsIn(before)
        .flatMap((text) => parseIn(world, element.id, text))
        .map((each) => [each.ref, each]),
    )
    for (const [ref, each] of was) if (!is.has(ref)) removed.push(each)
  }
  return { added, removed }
}

/** What a text refers to that can be looked up later; `field` 0: a comment. */
export function findIn(world: World, field: number, text: Text): Reference[] {
  const { itemNames } = world.tracker.project
  return parseIn(world, field, text).filter(
    ({ keyword, value, target }) =>
      (target !== null && itemNames.has(keyword)) ||
      kindOf(world.referenceKinds, keyword, argumentsOf({ value }).length) !== undefined,
  )
}

interface Text {
  readonly format: TextFormat
  readonly content: string
}

/** Everything that has the form of a reference. */
function parseIn({ tracker, referenceKinds }: World, field: number, { format, content }: Text): Reference[] {
  if (!content.includes('#')) return []
  const { project } = tracker
  const text = format === 'html' ? plainText(format, content) : content
  return parseReferences(text).map(({ keyword, value, project: of }) => {
    const ref = `${keyword} #${of === '' ? '' : `${of}:`}${value}`
    const isOwn = of === '' || of.toLowerCase() === project.shortname.toLowerCase()
    const of_project = isOwn ? project.id : ID.test(of) ? Number(of) : of
    const isArtifact = ARTIFACT.has(keyword) || !kindOf(referenceKinds, keyword, argumentsOf({ value }).length)
    return { field, ref, keyword, value, of_project, target: isArtifact && ID.test(value) ? Number(value) : null }
  })
}

const ID = /^[1-9]\d{0,14}$/
const ARTIFACT: ReadonlySet<string> = new Set(['art', 'artifact'])

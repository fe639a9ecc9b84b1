import { isRecord } from '../../platform/wire/schema-shape.ts'
import type { Problem } from '../../platform/words/reasons.ts'
import type { WriteItem } from '../../trackers/fields/field-type.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Element } from '../../trackers/tracker.ts'
import { named } from '../../trackers/workflow/list-values.ts'
import type { ArtifactValues } from './schemas.ts'

/** One value that a client sent, and the field that it is for. */
export interface GivenItem {
  readonly element: Element
  readonly item: WriteItem
  /** Everything that was sent, for comparing it with what a read answers. */
  readonly raw: Readonly<Record<string, unknown>>
  /** Where it stands in the input: `values[2]`. */
  readonly path: string
}

export interface GivenItems {
  readonly items: readonly GivenItem[]
  readonly problems: readonly Problem[]
}

/** Finds the fields that values are for. A field that the caller may neither read nor write is an unknown one. */
export function findItems(sight: Sight, { values, values_by_field }: ArtifactValues, isNew = false): GivenItems {
  const items: GivenItem[] = []
  const problems: Problem[] = []
  const add = (element: Element | undefined, item: WriteItem, raw: GivenItem['raw'], path: string) => {
    if (!element || !isKnown(sight, element, isNew))
      problems.push({ reason: 'reference_unknown', cause: 'field_unknown', path, rule: 'exists' })
    else if (items.some((each) => each.element.id === element.id))
      problems.push({ reason: 'field_duplicate', path, rule: 'unique', ...named(element) })
    else items.push({ element, item, raw, path })
  }
  for (const [at, raw] of (values ?? []).entries()) {
    const element = sight.tracker.elements.find(({ id }) => id === raw.field_id)
    add(element, { ...raw, byName: false }, raw, `values[${at}]`)
  }
  for (const [name, given] of Object.entries(values_by_field ?? {})) {
    const raw = isRecord(given) ? given : { value: given }
    add(sight.tracker.byName.get(name), { ...raw, byName: true }, raw, `values_by_field.${name}`)
  }
  return { items, problems }
}

/**
 * Who may give a value to a new artifact may be one who cannot read it back: what is stored there is not for him, so he
 * must not find out either, by trying, whether he has guessed it.
 */
function isKnown(sight: Sight, element: Element, isNew: boolean): boolean {
  if (!element.is_used || fieldTypeOf(element).kind !== 'field') return false
  return sight.mayRead(element) || (isNew && sight.maySubmit(element))
}

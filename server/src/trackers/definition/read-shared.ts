import { findFieldType } from '../field-types/field-types.ts'
import type { Element, FieldId } from '../tracker.ts'
import { splitShared } from './referenced-names.ts'
import { pointer } from './problems.ts'
import type { DefinitionContext } from './definition-context.ts'
import type { ElementDocument } from './schemas.ts'

/** The field of another tracker that a field shares. */
export interface Shared {
  readonly original: Element
  /** The original field, never another shared copy. */
  readonly id: FieldId
}

/** The original of a shared field. An existing field can neither become shared nor cease to be. */
export function findShared(
  { shared_from }: ElementDocument,
  path: string,
  { world, problems }: DefinitionContext,
  old: Element | undefined,
): Shared | undefined {
  const at = pointer(path, 'shared_from')
  const shared = shared_from === undefined || shared_from === null ? undefined : named(shared_from)
  if (old && old.shared_from !== (shared?.id ?? null) && (shared || shared_from === undefined || shared_from === null))
    problems.add(at, 'rule_violated', { cause: 'type_change' })
  if (!shared && shared_from !== undefined && shared_from !== null)
    problems.add(at, 'reference_unknown', { rule: 'exists' })
  return shared

  function named(reference: string): Shared | undefined {
    const { tracker, field } = splitShared(reference)
    const original = world.trackerNamed(tracker)?.elements.find((each) => each.name === field)
    if (!original || findFieldType(original.type)?.kind !== 'field') return undefined
    return { original, id: original.shared_from ?? original.id }
  }
}

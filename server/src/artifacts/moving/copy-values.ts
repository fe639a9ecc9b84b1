import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { Migrating } from '../../trackers/fields/field-type.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { Changes } from '../writing/draft.ts'
import type { Author } from '../writing/draft-version.ts'
import { findItems } from '../writing/items.ts'
import type { ArtifactValues } from '../writing/schemas.ts'
import { loadMigrating } from './load-migrating.ts'
import { migrateValues, nameFields } from './migrate-values.ts'

/** What a copy begins with: values that its author may read here and submit there. */
export async function copyValues(
  { context, db }: Author,
  source: FoundArtifact,
  there: Sight,
  { links, files }: { readonly links: 'none' | 'forward'; readonly files: boolean },
): Promise<Changes> {
  const { artifact, sight } = source
  const migrating = await loadMigrating(context, db, artifact.field_values, sight.tracker, there.tracker)
  const plain = sight.readable.filter(
    (element) => element.type !== 'art_link' && (files || !fieldTypeOf(element).files),
  )
  const { values } = migrateValues(artifact.field_values, plain, there.tracker, migrating)
  const all = [...values, ...(links === 'forward' ? copyLinks(source, there, migrating) : [])]
  return new Map(
    all.filter(([id]) => {
      const element = there.tracker.byId.get(id)
      return element !== undefined && there.maySubmit(element)
    }),
  )
}

/** Those whose other end he sees. */
function copyLinks({ forward, sight }: FoundArtifact, there: Sight, migrating: Migrating): Changes {
  const field = sight.readable.find(({ type }) => type === 'art_link')
  if (!field || forward.length === 0) return new Map()
  const stored = { [String(field.id)]: Object.fromEntries(forward.map(({ id, type }) => [id, type])) }
  return migrateValues(stored, [field], there.tracker, migrating).values
}

/** Which of the fields that have a value here, and that he may read, gave it to the copy. */
export function namesOfCopied(source: FoundArtifact, there: Sight, given: ArtifactValues, beginning: Changes) {
  const { artifact, sight } = source
  const replaced = new Set(findItems(there, given).items.map(({ element }) => element.id))
  const isCopied = ({ name }: Element) => {
    const element = there.tracker.byName.get(name)
    return element !== undefined && beginning.has(element.id) && !replaced.has(element.id)
  }
  const filled = sight.readable.filter((element) => {
    const stored = artifact.field_values[String(element.id)]
    if (element.type === 'art_link') return source.forward.length > 0
    return stored !== undefined && fieldTypeOf(element).isEmpty?.(stored) === false
  })
  return {
    fields_copied: nameFields(filled.filter(isCopied)),
    fields_not_copied: nameFields(filled.filter((element) => !isCopied(element))),
  }
}

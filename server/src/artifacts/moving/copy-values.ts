import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { Migrating } from '../../trackers/field-types/field-type.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element } from '../../trackers/tracker.ts'
import { readableLinkField } from '../links/link-field.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import { findItems } from '../update-artifact/decide-values.ts'
import type { ArtifactValues } from '../update-artifact/schemas.ts'
import type { Author, Changes } from '../update-artifact/version-draft.ts'
import { loadMigrating } from './load-migrating.ts'
import { migrateValues, nameFields } from './migrate-values.ts'

/** The initial values of a copy: those that its author may read in the source and submit in the target. */
export async function copyValues(
  { context, db }: Author,
  source: FoundArtifact,
  there: TrackerAccess,
  { links, files }: { readonly links: 'none' | 'forward'; readonly files: boolean },
): Promise<Changes> {
  const { artifact, access } = source
  const migrating = await loadMigrating(context, db, artifact.field_values, access.tracker, there.tracker)
  const plain = access.readable.filter(
    (element) => !fieldTypeOf(element).holdsLinks && (files || !fieldTypeOf(element).files),
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

/** The links whose other end the author sees. */
function copyLinks({ forward, access }: FoundArtifact, there: TrackerAccess, migrating: Migrating): Changes {
  const field = readableLinkField(access)
  if (!field || forward.length === 0) return new Map()
  const stored = { [String(field.id)]: Object.fromEntries(forward.map(({ id, type }) => [id, type])) }
  return migrateValues(stored, [field], there.tracker, migrating).values
}

/** Names of the source fields with a value that the author may read, split by whether the copy took the value. */
export function namesOfCopied(source: FoundArtifact, there: TrackerAccess, given: ArtifactValues, beginning: Changes) {
  const { artifact, access } = source
  const replaced = new Set(findItems(there, given).items.map(({ element }) => element.id))
  const isCopied = ({ name }: Element) => {
    const element = there.tracker.byName.get(name)
    return element !== undefined && beginning.has(element.id) && !replaced.has(element.id)
  }
  const filled = access.readable.filter((element) => {
    const stored = artifact.field_values[String(element.id)]
    if (fieldTypeOf(element).holdsLinks) return source.forward.length > 0
    return stored !== undefined && fieldTypeOf(element).isEmpty?.(stored) === false
  })
  return {
    fields_copied: nameFields(filled.filter(isCopied)),
    fields_not_copied: nameFields(filled.filter((element) => !isCopied(element))),
  }
}

import { type RawBuilder, sql } from 'kysely'
import { findReferenceKind } from '../../projects/references/reference-kind.ts'
import { parseReferences } from '../../projects/references/parse-references.ts'
import { parseIdKeyword, type SearchQuery } from '../../projects/search/searched-kind.ts'
import { itemNames } from '../../trackers/item-names.ts'

/** The artifact that the keywords refer to: `12`, `art #12`, `bug #12`, `bug #orchard:12`. */
interface NamedArtifact {
  readonly id: number
  /** True if the row of `artifact` is this artifact, by its rows of `tracker` and `project`. */
  readonly isIt: RawBuilder<boolean>
}

export function readReference({
  keywords,
  context,
}: Pick<SearchQuery, 'keywords' | 'context'>): NamedArtifact | undefined {
  const id = parseIdKeyword(keywords)
  if (id !== undefined) return { id, isIt: sql`(artifact.id = ${id})` }
  const [reference] = parseReferences(keywords)
  const target = reference?.text === keywords ? parseIdKeyword(reference.value) : undefined
  if (!reference || target === undefined) return undefined
  const { keyword, project } = reference
  const isAny = findReferenceKind(context.referenceKinds, keyword, 1)?.link === itemNames.kind.link
  const isCalled = isAny ? sql`true` : sql`lower(tracker.item_name) = ${keyword}`
  const isThere =
    project === '' ? sql`true` : sql`${project.toLowerCase()} in (project.id::text, folded(project.shortname))`
  return { id: target, isIt: sql`(artifact.id = ${target} and ${isCalled} and ${isThere})` }
}

import { type RawBuilder, sql } from 'kysely'
import { kindOf } from '../../projects/references/reference-kind.ts'
import { parseReferences } from '../../projects/references/parse-references.ts'
import { idIn, type Question } from '../../projects/search/searched-kind.ts'
import { itemNames } from '../../trackers/item-names.ts'

/** The one artifact that keywords name: `12`, `art #12`, `bug #12`, `bug #orchard:12`. */
interface Named {
  readonly id: number
  /** Whether it is the row of `artifact`, by its rows of `tracker` and `project`. */
  readonly isIt: RawBuilder<boolean>
}

export function readReference({ keywords, context }: Pick<Question, 'keywords' | 'context'>): Named | undefined {
  const id = idIn(keywords)
  if (id !== undefined) return { id, isIt: sql`(artifact.id = ${id})` }
  const [reference] = parseReferences(keywords)
  const target = reference?.text === keywords ? idIn(reference.value) : undefined
  if (!reference || target === undefined) return undefined
  const { keyword, project } = reference
  const isAny = kindOf(context.referenceKinds, keyword, 1)?.link === itemNames.kind.link
  const isCalled = isAny ? sql`true` : sql`lower(tracker.item_name) = ${keyword}`
  const isThere =
    project === '' ? sql`true` : sql`${project.toLowerCase()} in (project.id::text, folded(project.shortname))`
  return { id: target, isIt: sql`(artifact.id = ${target} and ${isCalled} and ${isThere})` }
}

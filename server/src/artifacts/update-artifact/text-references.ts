import { parseReferences, referenceArguments } from '../../projects/references/parse-references.ts'
import { findReferenceKind, type ReferenceKind } from '../../projects/references/reference-kind.ts'
import { KEY_KEYWORD, parseSourceKeys } from '../../projects/references/source-keys.ts'
import { toPlainText } from '../../platform/rich-text/plain-text.ts'
import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Element, StoredValues } from '../../trackers/tracker.ts'

export interface TextReference {
  readonly field: number
  readonly ref: string
  readonly keyword: string
  readonly value: string
  /** The project of the reference: an id, or the short name of another project. */
  readonly of_project: number | string
  readonly target: number | null
}

/** The tracker of the text, and the kinds of references that the platform knows. */
export interface ReferenceScope {
  readonly tracker: LoadedTracker
  readonly referenceKinds: readonly ReferenceKind[]
}

/** References that a change of these fields adds and removes. */
export function compareReferences(
  scope: ReferenceScope,
  changed: readonly Element[],
  before: StoredValues,
  after: StoredValues,
): { added: TextReference[]; removed: TextReference[] } {
  const added: TextReference[] = []
  const removed: TextReference[] = []
  for (const element of changed) {
    const type = fieldTypeOf(element)
    if (!type.texts) continue
    const textsIn = (values: StoredValues) => {
      const stored = values[String(element.id)]
      return stored === undefined ? [] : (type.texts?.(stored) ?? [])
    }
    const is = new Map(
      textsIn(after)
        .flatMap((text) => findTextReferences(scope, element.id, text))
        .map((each) => [each.ref, each]),
    )
    added.push(...is.values()) // The insert skips existing references.
    // Every parsed reference counts, because its keyword may have been known when it was written.
    const was = new Map(
      textsIn(before)
        .flatMap((text) => parseText(scope, element.id, text))
        .map((each) => [each.ref, each]),
    )
    for (const [ref, each] of was) if (!is.has(ref)) removed.push(each)
  }
  return { added, removed }
}

/** References of a text that can be resolved later; `field` 0 is a comment. */
export function findTextReferences(scope: ReferenceScope, field: number, text: Text): TextReference[] {
  const { itemNames } = scope.tracker.project
  return parseText(scope, field, text).filter(
    ({ keyword, value, target }) =>
      keyword === KEY_KEYWORD ||
      (target !== null && itemNames.has(keyword)) ||
      findReferenceKind(scope.referenceKinds, keyword, referenceArguments({ value }).length) !== undefined,
  )
}

interface Text {
  readonly format: TextFormat
  readonly content: string
}

/** Everything that has the syntax of a reference. Source keys get their targets when they are written. */
function parseText(
  { tracker, referenceKinds }: ReferenceScope,
  field: number,
  { format, content }: Text,
): TextReference[] {
  if (!content.includes('#') && !content.includes('-')) return []
  const { project } = tracker
  const text = format === 'html' ? toPlainText(format, content) : content
  const keys = new Set(parseSourceKeys(text).map(({ key }) => key))
  const keyed = [...keys].map((key) => ({ ...byKey(key), field, of_project: project.id }))
  const numbered = parseReferences(text).map(({ keyword, value, project: of }) => {
    const ref = `${keyword} #${of === '' ? '' : `${of}:`}${value}`
    const isOwn = of === '' || of.toLowerCase() === project.shortname.toLowerCase()
    const of_project = isOwn ? project.id : ID.test(of) ? Number(of) : of
    const isArtifact =
      ARTIFACT.has(keyword) || !findReferenceKind(referenceKinds, keyword, referenceArguments({ value }).length)
    return { field, ref, keyword, value, of_project, target: isArtifact && ID.test(value) ? Number(value) : null }
  })
  return [...numbered, ...keyed]
}

function byKey(key: string) {
  return { ref: `${KEY_KEYWORD}${key}`, keyword: KEY_KEYWORD, value: key, target: null }
}

const ID = /^[1-9]\d{0,14}$/
const ARTIFACT: ReadonlySet<string> = new Set(['art', 'artifact'])

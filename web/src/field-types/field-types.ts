import type { AnyValue as Value } from '@waypost/sdk/api'
import { artifactId } from './artifact-id.ts'
import { artifactLinks } from './artifact-links.tsx'
import { artifactPermissions } from './artifact-permissions.tsx'
import { burndown } from './burndown.ts'
import { burnup } from './burnup.ts'
import { checkBoxes } from './check-boxes.tsx'
import { column } from './column.ts'
import { computed } from './computed.tsx'
import { crossReferences } from './cross-references.tsx'
import { date } from './date.tsx'
import { duration } from './duration.tsx'
import type { FieldType } from './field-type.ts'
import { fieldset } from './fieldset.ts'
import { file } from './file.tsx'
import { float } from './float.tsx'
import { integer } from './integer.tsx'
import { lastUpdateDate } from './last-update-date.ts'
import { lastUpdater } from './last-updater.ts'
import { lineBreak } from './line-break.ts'
import { multiSelectBox } from './multi-select-box.tsx'
import { numberInTracker } from './number-in-tracker.ts'
import { openList } from './open-list.tsx'
import { radioButtons } from './radio-buttons.tsx'
import { rank } from './rank.ts'
import { selectBox } from './select-box.tsx'
import { separator } from './separator.tsx'
import { staticRichText } from './static-rich-text.tsx'
import { string } from './string.tsx'
import { submissionDate } from './submission-date.ts'
import { submitter } from './submitter.ts'
import { text } from './text.tsx'
import { unknownType } from './unknown-type.tsx'

/** In the order in which the administration of a tracker offers the types. */
const FIELD_TYPES: readonly FieldType[] = [
  string,
  text,
  integer,
  float,
  date,
  duration,
  selectBox,
  radioButtons,
  multiSelectBox,
  checkBoxes,
  openList,
  file,
  artifactLinks,
  artifactPermissions,
  computed,
  artifactId,
  numberInTracker,
  submitter,
  submissionDate,
  lastUpdater,
  lastUpdateDate,
  rank,
  crossReferences,
  burndown,
  burnup,
  fieldset,
  column,
  lineBreak,
  separator,
  staticRichText,
]

const byCode = new Map(FIELD_TYPES.map((each) => [each.type, each]))

/** The type of a field, an element or a value. Unknown types are read-only, because the server may be newer. */
export function fieldType({ type }: { readonly type: string }): FieldType {
  return byCode.get(type) ?? unknownType(type)
}

/** True if nothing is stored, or only an empty value. */
export function isEmptyValue(value: Value | undefined): boolean {
  return !value || fieldType(value).isEmpty(value)
}

/** Every known type, in the order of the list. */
export function everyFieldType(): readonly FieldType[] {
  return [...byCode.values()]
}

/** Adds types as lines of the list would; the result removes them. */
export function addFieldTypes(added: readonly FieldType[]): () => void {
  for (const each of added) byCode.set(each.type, each)
  return () => {
    for (const { type } of added) byCode.delete(type)
  }
}

import type { Element } from '../tracker.ts'
import type { FieldType } from './field-type.ts'
import { artifactIdField } from './artifact-id/artifact-id-field.ts'
import { artifactLinksField } from './artifact-links/artifact-links-field.ts'
import { artifactPermissionsField } from './artifact-permissions/artifact-permissions-field.ts'
import { burndownField } from './burndown/burndown-field.ts'
import { burnupField } from './burnup/burnup-field.ts'
import { checkBoxesField } from './check-boxes/check-boxes-field.ts'
import { columnElement } from './column/column-element.ts'
import { computedField } from './computed/computed-field.ts'
import { crossReferencesField } from './cross-references/cross-references-field.ts'
import { dateField } from './date/date-field.ts'
import { durationField } from './duration/duration-field.ts'
import { fieldsetElement } from './fieldset/fieldset-element.ts'
import { fileField } from './file/file-field.ts'
import { floatField } from './float/float-field.ts'
import { integerField } from './integer/integer-field.ts'
import { lastUpdateDateField } from './last-update-date/last-update-date-field.ts'
import { lastUpdaterField } from './last-updater/last-updater-field.ts'
import { lineBreakElement } from './line-break/line-break-element.ts'
import { multiSelectBoxField } from './multi-select-box/multi-select-box-field.ts'
import { numberInTrackerField } from './number-in-tracker/number-in-tracker-field.ts'
import { openListField } from './open-list/open-list-field.ts'
import { radioButtonsField } from './radio-buttons/radio-buttons-field.ts'
import { rankField } from './rank/rank-field.ts'
import { selectBoxField } from './select-box/select-box-field.ts'
import { separatorElement } from './separator/separator-element.ts'
import { staticRichTextElement } from './static-rich-text/static-rich-text-element.ts'
import { stringField } from './string/string-field.ts'
import { submissionDateField } from './submission-date/submission-date-field.ts'
import { submitterField } from './submitter/submitter-field.ts'
import { textField } from './text/text-field.ts'

/** All types of fields, containers and static elements. To add a type, add its folder and a line here. */
export const FIELD_TYPES: readonly FieldType[] = [
  stringField,
  textField,
  integerField,
  floatField,
  dateField,
  durationField,
  selectBoxField,
  radioButtonsField,
  multiSelectBoxField,
  checkBoxesField,
  openListField,
  fileField,
  artifactLinksField,
  artifactPermissionsField,
  computedField,
  artifactIdField,
  numberInTrackerField,
  submitterField,
  submissionDateField,
  lastUpdaterField,
  lastUpdateDateField,
  rankField,
  crossReferencesField,
  burndownField,
  burnupField,
  fieldsetElement,
  columnElement,
  lineBreakElement,
  separatorElement,
  staticRichTextElement,
]

const byType = new Map(FIELD_TYPES.map((each) => [each.type, each]))

export function findFieldType(type: string): FieldType | undefined {
  return byType.get(type)
}

export function fieldTypeOf({ type }: Pick<Element, 'type'>): FieldType {
  const found = byType.get(type)
  if (!found) throw new Error(`There is no field type ${type}.`)
  return found
}

/** Registers more types while `work` runs. For tests only. */
export async function withFieldTypes<Result>(more: readonly FieldType[], work: () => Promise<Result>): Promise<Result> {
  for (const each of more) byType.set(each.type, each)
  try {
    return await work()
  } finally {
    for (const { type } of more) byType.delete(type)
  }
}

import type { Element } from '../tracker.ts'
import type { FieldType } from './field-type.ts'
import { artifactIdField } from './artifact-id.ts'
import { artifactLinksField } from './artifact-links.ts'
import { artifactPermissionsField } from './artifact-permissions.ts'
import { burndownField } from './burndown.ts'
import { burnupField } from './burnup.ts'
import { checkBoxesField } from './check-boxes.ts'
import { columnElement } from './column.ts'
import { computedField } from './computed.ts'
import { crossReferencesField } from './cross-references.ts'
import { dateField } from './date.ts'
import { fieldsetElement } from './fieldset.ts'
import { fileField } from './file.ts'
import { floatField } from './float.ts'
import { integerField } from './integer.ts'
import { lastUpdateDateField } from './last-update-date.ts'
import { lastUpdaterField } from './last-updater.ts'
import { lineBreakElement } from './line-break.ts'
import { multiSelectBoxField } from './multi-select-box.ts'
import { numberInTrackerField } from './number-in-tracker.ts'
import { openListField } from './open-list.ts'
import { radioButtonsField } from './radio-buttons.ts'
import { rankField } from './rank.ts'
import { selectBoxField } from './select-box.ts'
import { separatorElement } from './separator.ts'
import { staticRichTextElement } from './static-rich-text.ts'
import { stringField } from './string.ts'
import { submissionDateField } from './submission-date.ts'
import { submitterField } from './submitter.ts'
import { textField } from './text.ts'

/** Every type of field, container and static element there is. A new one is its file, and a line here. */
export const FIELD_TYPES: readonly FieldType[] = [
  stringField,
  textField,
  integerField,
  floatField,
  dateField,
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

/** There are more types while `work` runs. Only tests have any: whatever works there with a type of their own needs no more of it. */
export async function withFieldTypes<Result>(more: readonly FieldType[], work: () => Promise<Result>): Promise<Result> {
  for (const each of more) byType.set(each.type, each)
  try {
    return await work()
  } finally {
    for (const { type } of more) byType.delete(type)
  }
}

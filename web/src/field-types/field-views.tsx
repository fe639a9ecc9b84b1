import type { TrackerField, AnyValue as Value } from '@waypost/sdk/api'
import { memo } from 'react'
import { text } from '../artifacts/messages.ts'
import type { EditorProps, EditValueProps } from './field-type.ts'
import { fieldType } from './field-types.ts'
import { Nothing } from './parts/nothing.tsx'

interface Props {
  /** Undefined: nothing is stored. */
  value: Value | undefined
  /** The field of the tracker, which has the labels of link types. */
  field?: TrackerField | undefined
  /** One line without links and images, for table cells. */
  isShort?: boolean
}

/** Shows the value of a field of any type. */
export const ShowValue = memo(function ShowValue({ value, field, isShort = false }: Props) {
  const type = value && fieldType(value)
  if (!type || type.isEmpty(value)) return isShort ? null : <Nothing />
  return isShort && type.showShort ? type.showShort(value) : type.show(value, field)
})

/** The editor for a value of any editable field. */
export function EditValue(props: EditValueProps) {
  const { field, error, isBare, autoFocus } = props
  const Editor = fieldType(field).editing?.Editor
  if (!Editor) return null
  const label = field.required ? text('edit.required', { label: field.label }) : field.label
  const hint = field.description === '' || isBare ? undefined : field.description
  const editor: EditorProps = { ...props, label, hint, frame: { label, hint, error, isBare, autoFocus } }
  return <Editor {...editor} />
}

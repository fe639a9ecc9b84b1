import { RichText } from '../artifacts/rich-text.tsx'
import { jsonText } from '../json.ts'
import type { FieldType } from './field-type.ts'
import { WITHOUT_VALUE } from './parts/without-value.ts'

export const staticRichText: FieldType = {
  type: 'staticrichtext',
  kind: 'static',
  isWide: true,
  ...WITHOUT_VALUE,
  showStatic: ({ default_value }) => <RichText html={jsonText(default_value)} />,
  settings: [{ name: 'static_value', kind: 'paragraph' }],
}

import type { TrackerField } from '@waypost/sdk/api'
import { type RefObject, useRef } from 'react'
import { KeyPicker } from '../artifacts/key-picker.tsx'
import type { PickerKey } from '../artifacts/key-fields.ts'
import type { ValueDraft } from '../field-types/field-type.ts'

interface Props {
  readonly card: number
  readonly pickerKey: PickerKey
  readonly board: RefObject<HTMLElement | null>
  readonly onPick: (xref: string, field: TrackerField, draft: ValueDraft) => void
  readonly onClose: () => void
}

/** The picker of a field of the focused card. */
export function CardPicker({ card, pickerKey, board, onPick, onClose }: Props) {
  const anchor = useRef<Element>(board.current?.querySelector(`[data-card="${card}"]`) ?? null)
  return (
    <KeyPicker
      artifact={card}
      pickerKey={pickerKey}
      anchor={anchor}
      onPick={({ artifact }, field, draft) => onPick(artifact.xref, field, draft)}
      onClose={onClose}
    />
  )
}

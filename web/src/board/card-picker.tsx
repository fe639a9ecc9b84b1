import { useQuery } from '@tanstack/react-query'
import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { type RefObject, useEffect, useRef } from 'react'
import { artifactQuery } from '../artifacts/artifact-queries.ts'
import { findKeyField, isPickable, type PickerKey } from '../artifacts/key-fields.ts'
import { ValuePicker } from '../artifacts/value-picker.tsx'
import type { ValueDraft } from '../field-types/field-type.ts'
import { showToast } from '../shell/toasts.ts'
import { text } from '../artifacts/messages.ts'

interface Props {
  readonly card: number
  readonly pickerKey: PickerKey
  readonly tracker: Tracker
  readonly board: RefObject<HTMLElement | null>
  readonly onPick: (xref: string, field: TrackerField, draft: ValueDraft) => void
  readonly onClose: () => void
}

/** The picker of a field of the focused card. The card is read again: only its own form knows frozen fields. */
export function CardPicker({ card, pickerKey, tracker, board, onPick, onClose }: Props) {
  const { data: open } = useQuery({ ...artifactQuery(card), staleTime: 0 })
  const anchor = useRef<Element>(board.current?.querySelector(`[data-card="${card}"]`) ?? null)
  const field = findKeyField(open?.tracker ?? tracker, pickerKey)
  const why = !field
    ? text(`pick.no_${pickerKey}`)
    : open && !isPickable(field)
      ? text('pick.read_only', { field: field.label })
      : undefined
  useEffect(() => {
    if (why === undefined) return
    showToast(why)
    onClose()
  }, [why])
  if (!open || !field || why !== undefined) return null
  return (
    <ValuePicker
      open={open}
      field={field}
      anchor={anchor}
      onPick={(draft) => onPick(open.artifact.xref, field, draft)}
      onClose={onClose}
    />
  )
}

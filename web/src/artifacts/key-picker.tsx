import { useQuery } from '@tanstack/react-query'
import type { TrackerField } from '@waypost/sdk/api'
import { type RefObject, useEffect } from 'react'
import type { ValueDraft } from '../field-types/field-type.ts'
import { showToast } from '../design/toasts.ts'
import { artifactQuery, type OpenArtifact } from './artifact-queries.ts'
import { findKeyField, isPickable, type PickerKey } from './key-fields.ts'
import { text } from './messages.ts'
import { ValuePicker } from './value-picker.tsx'

interface Props {
  readonly artifact: number
  readonly pickerKey: PickerKey
  /** The element beside which it opens. */
  readonly anchor: RefObject<Element | null>
  readonly onPick: (open: OpenArtifact, field: TrackerField, draft: ValueDraft) => void
  readonly onClose: () => void
}

/** The picker that a key opens for an artifact in a list. It is read again: only its own form knows frozen fields. */
export function KeyPicker({ artifact, pickerKey, anchor, onPick, onClose }: Props) {
  const { data: open } = useQuery({ ...artifactQuery(artifact), staleTime: 0 })
  const field = open && findKeyField(open.tracker, pickerKey)
  const why = !open
    ? undefined
    : !field
      ? text(`pick.no_${pickerKey}`)
      : isPickable(field)
        ? undefined
        : text('pick.read_only', { field: field.label })
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
      onPick={(draft) => onPick(open, field, draft)}
      onClose={onClose}
    />
  )
}

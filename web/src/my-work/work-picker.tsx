import type { OwnArtifact, TrackerField } from '@waypost/sdk/api'
import { useRef } from 'react'
import type { OpenArtifact } from '../artifacts/artifact-queries.ts'
import { KeyPicker } from '../artifacts/key-picker.tsx'
import type { ValueDraft } from '../field-types/field-type.ts'
import { saveWork } from './save-work.ts'
import type { PickedCell } from './use-work-keys.ts'

interface Props {
  readonly item: OwnArtifact
  readonly cell: PickedCell
  readonly onClose: () => void
}

/** The picker of a value in a row of work. */
export function WorkPicker({ item, cell, onClose }: Props) {
  const anchor = useRef<Element>(cell.anchor)
  const pick = (open: OpenArtifact, field: TrackerField, draft: ValueDraft) =>
    void saveWork(item, cell.pickerKey, { open, field, draft })
  return <KeyPicker artifact={item.id} pickerKey={cell.pickerKey} anchor={anchor} onPick={pick} onClose={onClose} />
}

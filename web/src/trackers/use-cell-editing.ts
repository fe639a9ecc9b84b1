import type { Artifact, TrackerField, AnyValue as Value } from '@waypost/sdk/api'
import { useRef, useState } from 'react'
import { artifactQuery, fieldValue } from '../artifacts/artifact-queries.ts'
import { type EditBase, type FieldConflict, saveArtifact, type SaveResult } from '../artifacts/save-artifact.ts'
import { refusalText } from '../design/refusal.tsx'
import { mayUpdate, optimisticValue } from '../field-types/drafts.ts'
import type { ValueDraft } from '../field-types/field-type.ts'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import type { GridRows } from './grid-rows.ts'

/** The cell being edited. */
export interface CellEdit {
  readonly id: number
  readonly xref: string
  readonly field: TrackerField
  /** The refused value; undefined before the first attempt. */
  readonly draft: ValueDraft | undefined
  /** The reason of the refusal. */
  readonly refusal: string | undefined
  /** A version conflict. */
  readonly clash: { readonly clash: FieldConflict; readonly base: EditBase; readonly who: string } | undefined
}

/** Edits one cell at a time. Changes are optimistic; a refusal reopens the editor with the input. */
export function useCellEditing(loader: GridRows | undefined) {
  const [edit, setEdit] = useState<CellEdit>()
  const waiting = useRef<CellEdit[]>([])

  const begin = ({ id, xref }: Artifact, field: TrackerField) => {
    if (mayUpdate(field)) setEdit({ id, xref, field, draft: undefined, refusal: undefined, clash: undefined })
    else showToast(text('table.read_only', { field: field.label }))
  }
  const end = () => setEdit(waiting.current.shift())
  const comeBack = (refused: CellEdit) => {
    setEdit((current) => {
      if (current) waiting.current.push(refused)
      return current ?? refused
    })
  }
  const show = (id: number, field: TrackerField, value: Value | undefined) =>
    loader?.store.show(id, field.field_id, value)

  const save = async (cell: CellEdit, base: EditBase, draft: ValueDraft) => {
    const { id, field } = cell
    const before = base.values.find(({ field_id }) => field_id === field.field_id)
    end()
    show(id, field, optimisticValue(field, draft, before))
    const saved = await saveArtifact(id, base, [draft], '')
    settle(saved, { ...cell, draft, refusal: undefined, clash: undefined }, before)
  }

  const settle = (saved: SaveResult, cell: CellEdit, before: Value | undefined) => {
    const { id, field, xref } = cell
    const { artifact } = queryClient.getQueryData(artifactQuery(id).queryKey) ?? {}
    switch (saved.kind) {
      case 'saved': {
        if (artifact) loader?.store.replace(artifact, performance.now())
        const { undo } = saved
        const takeBack = async () => {
          if (!undo) return
          show(id, field, before)
          settle(await undo(), { ...cell, draft: undefined }, artifact && fieldValue(artifact, field.field_id))
        }
        showToast(text('table.saved', { name: xref, field: field.label }), undo ? { undo: () => void takeBack() } : {})
        break
      }
      case 'clash': {
        const { artifact: now, etag } = saved.now
        const [clash] = saved.clashes
        show(id, field, clash?.theirs)
        const person = now.last_update_by_user
        const who = person.real_name ?? person.display_name
        if (clash) comeBack({ ...cell, clash: { clash, base: { etag, values: now.values ?? [] }, who } })
        break
      }
      case 'refused':
        show(id, field, before)
        comeBack({ ...cell, refusal: refusalText(saved.failure) })
        break
      default:
        saved satisfies never
    }
  }
  return { edit, begin, end, save }
}

import type { Failure } from '@waypost/sdk/answer'
import type { TrackerField } from '@waypost/sdk/api'
import { useState } from 'react'
import { showToast } from '../design/toasts.ts'
import { refusalText } from '../design/refusal.tsx'
import { toDraft } from '../field-types/drafts.ts'
import type { ValueDraft } from '../field-types/field-type.ts'
import { draftKeys, storedKeys } from '../field-types/parts/list-keys.ts'
import { isJsonRecord, jsonNumber, jsonObjects, jsonText } from '../json.ts'
import { text } from './messages.ts'
import { type OpenArtifact, fieldValue } from './artifact-queries.ts'
import { type ChoiceKey } from './choices.ts'
import { storeDraft, loadDraft } from './draft-storage.ts'
import { type EditBase, baseOf, type FieldConflict, type SaveResult, saveArtifact } from './save-artifact.ts'

/** Unsaved changes of an artifact: several fields, saved as one version. */
export interface Editing {
  readonly drafts: readonly ValueDraft[]
  readonly isSaving: boolean
  readonly failure: Failure | undefined
  /** The error message of a field in the last refusal. */
  readonly problemOf: (fieldId: number) => string | undefined
  readonly draftFor: (fieldId: number) => ValueDraft | undefined
  /** The selected keys of a list, from the draft or the stored value. */
  readonly chosen: (fieldId: number) => readonly ChoiceKey[]
  readonly clash: { readonly clashes: readonly FieldConflict[]; readonly now: OpenArtifact } | undefined
  readonly begin: (field: TrackerField) => void
  readonly change: (draft: ValueDraft) => void
  /** Writes one picked value at once. Call it only without unsaved changes. */
  readonly pick: (draft: ValueDraft) => void
  readonly drop: (fieldId: number) => void
  readonly dropAll: () => void
  /** The unsent comment. */
  readonly comment: string
  readonly say: (comment: string) => void
  /** Resolves to true when saved. */
  readonly save: (how?: { withComment: boolean }) => Promise<boolean>
  /** Continues from the stored version with the decisions on conflicting fields. */
  readonly settle: (decided: ReadonlyMap<number, ValueDraft | undefined>) => Promise<boolean>
  readonly leaveClash: () => void
}

interface Kept {
  readonly base: EditBase
  readonly drafts: readonly ValueDraft[]
  readonly comment: string
}

export function useEditing(open: OpenArtifact, name: string): Editing {
  const { id } = open.artifact
  const [kept, setKept] = useState<Kept>(() => readKept(name, open))
  const [failure, setFailure] = useState<Failure>()
  const [isSaving, setSaving] = useState(false)
  const [clash, setClash] = useState<Editing['clash']>()
  const [isWithComment, setWithComment] = useState(false)
  const put = (next: Kept) => {
    setKept(next)
    storeDraft(name, next.drafts.length === 0 && next.comment === '' ? undefined : keptForm(next))
  }
  const { base, drafts, comment } = kept

  const settleSaved = (saved: SaveResult, before: Kept): boolean => {
    if (saved.kind === 'saved') {
      setClash(undefined)
      const { undo } = saved
      showToast(text(saved.merged ? 'artifact.merged' : 'saved'), undo ? { undo: () => void undoSave(undo) } : {})
      return true
    }
    put(before)
    if (saved.kind === 'clash') setClash({ clashes: saved.clashes, now: saved.now })
    else setFailure(saved.failure)
    return false
  }
  const write = async (from: Kept, withComment: boolean): Promise<boolean> => {
    setSaving(true)
    setFailure(undefined)
    setWithComment(withComment)
    const said = withComment ? from.comment : ''
    put({ base: baseOf(open), drafts: [], comment: withComment ? '' : from.comment })
    const saved = await saveArtifact(id, from.base, from.drafts, said)
    setSaving(false)
    return settleSaved(saved, from)
  }

  return {
    drafts,
    isSaving,
    failure,
    clash,
    comment,
    say: (said) => put({ ...kept, comment: said }),
    problemOf: (fieldId) => problemIn(failure, fieldId),
    draftFor: (fieldId) => drafts.find(({ field_id }) => field_id === fieldId),
    chosen: (fieldId) => {
      const draft = drafts.find(({ field_id }) => field_id === fieldId)
      return draft ? draftKeys(draft) : storedKeys(fieldValue(open.artifact, fieldId))
    },
    begin: (field) => {
      if (drafts.some(({ field_id }) => field_id === field.field_id)) return
      // Changes are compared with the values at the time when the first field was opened.
      const from = drafts.length === 0 ? baseOf(open) : base
      const stored = from.values.find(({ field_id }) => field_id === field.field_id)
      put({ ...kept, base: from, drafts: [...drafts, toDraft(field, stored)] })
    },
    change: (draft) =>
      put({ ...kept, drafts: drafts.map((each) => (each.field_id === draft.field_id ? draft : each)) }),
    pick: (draft) => void write({ base: baseOf(open), drafts: [draft], comment }, false),
    drop: (fieldId) => {
      setFailure(undefined)
      put({ ...kept, drafts: drafts.filter(({ field_id }) => field_id !== fieldId) })
    },
    dropAll: () => {
      setFailure(undefined)
      put({ ...kept, drafts: [] })
    },
    save: ({ withComment } = { withComment: false }) =>
      write(drafts.length === 0 ? { ...kept, base: baseOf(open) } : kept, withComment),
    settle: (decided) => {
      if (!clash) return Promise.resolve(false)
      const mine = drafts.flatMap((draft) =>
        decided.has(draft.field_id) ? (decided.get(draft.field_id) ?? []) : draft,
      )
      return write({ base: baseOf(clash.now), drafts: mine, comment }, isWithComment)
    },
    leaveClash: () => setClash(undefined),
  }
}

async function undoSave(undo: () => Promise<SaveResult>): Promise<void> {
  const saved = await undo()
  if (saved.kind === 'saved') showToast(text('artifact.taken_back'))
  else
    showToast(saved.kind === 'refused' ? refusalText(saved.failure) : text('artifact.changed_since'), {
      isTrouble: true,
    })
}

/** The messages about this field in a refusal. */
export function problemIn(failure: Failure | undefined, fieldId: number): string | undefined {
  const problems = failure?.details.all?.filter(({ field_id }) => field_id === fieldId) ?? []
  return problems.length === 0 ? undefined : problems.map(({ message }) => message).join(' ')
}

/** Stores only the drafts and their base values. */
function keptForm({ base, drafts, comment }: Kept): object {
  const ids = drafts.map(({ field_id }) => field_id)
  return { etag: base.etag, values: base.values.filter(({ field_id }) => ids.includes(field_id)), drafts, comment }
}

function readKept(name: string, open: OpenArtifact): Kept {
  const kept = loadDraft(name)
  const known = new Set(open.tracker.fields.map(({ field_id }) => field_id))
  const drafts = draftsIn(isJsonRecord(kept) ? kept['drafts'] : []).filter(({ field_id }) => known.has(field_id))
  const comment = jsonText(isJsonRecord(kept) ? kept['comment'] : '')
  if (!isJsonRecord(kept) || drafts.length === 0) return { base: baseOf(open), drafts: [], comment }
  const values = jsonObjects(kept['values']).map((value) => ({
    ...value,
    field_id: jsonNumber(value['field_id']) ?? 0,
    type: jsonText(value['type']),
    label: jsonText(value['label']),
  }))
  // Fields that are opened later are compared with their current values.
  const others = (open.artifact.values ?? []).filter(
    ({ field_id }) => !drafts.some((draft) => draft.field_id === field_id),
  )
  return { base: { etag: jsonText(kept['etag']) || undefined, values: [...values, ...others] }, drafts, comment }
}

export function draftsIn(given: unknown): readonly ValueDraft[] {
  return jsonObjects(given).flatMap((draft) => {
    const field_id = jsonNumber(draft['field_id'])
    return field_id === undefined ? [] : [{ ...draft, field_id }]
  })
}

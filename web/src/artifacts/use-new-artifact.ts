import { useNavigate } from '@tanstack/react-router'
import type { Failure } from '@waypost/sdk/answer'
import type { Tracker, TrackerField, AnyValueItem as ValueItem } from '@waypost/sdk/api'
import { useRef, useState } from 'react'
import { api } from '../api.ts'
import type { SnippetCall } from '../design/api-snippets.tsx'
import { showToast } from '../design/toasts.ts'
import { defaultDraft, isEditable, isEmptyDraft, isSameDraft } from '../field-types/drafts.ts'
import type { ValueDraft } from '../field-types/field-type.ts'
import { fieldType } from '../field-types/field-types.ts'
import { text } from './messages.ts'
import { storeDraft, loadDraft } from './draft-storage.ts'
import { draftsIn } from './use-editing.ts'

export interface NewDraft {
  /** The fields that the viewer may submit. */
  readonly fields: readonly TrackerField[]
  /** Required fields, title, description and assignee; the others can wait. */
  readonly isNeeded: (field: TrackerField) => boolean
  readonly drafts: ReadonlyMap<number, ValueDraft>
  readonly draftFor: (field: TrackerField) => ValueDraft
  /** The tracker has links that the viewer may set. */
  readonly hasLinks: boolean
  /** The draft was restored from storage. */
  readonly isKept: boolean
  readonly failure: Failure | undefined
  readonly isSending: boolean
  readonly call: SnippetCall
  readonly change: (draft: ValueDraft) => void
  readonly startOver: () => void
  /** `another`: stays here with the same properties, for the next one. */
  readonly send: (then: 'open' | 'another') => Promise<void>
}

/** A new artifact. Its draft survives a closed tab. */
export function useNewArtifact(tracker: Tracker, name: string, parent: number | undefined): NewDraft {
  const navigate = useNavigate()
  const fields = tracker.fields.filter((field) => isEditable(field) && field.permissions.includes('create'))
  const [drafts, setDrafts] = useState<ReadonlyMap<number, ValueDraft>>(() => readKept(fields, name))
  const [isKept, setKept] = useState(drafts.size > 0)
  const links = fields.find((field) => fieldType(field).links !== undefined)
  const [failure, setFailure] = useState<Failure>()
  const [isSending, setSending] = useState(false)
  // An idempotency key: a repeated submission creates one artifact.
  const key = useRef(crypto.randomUUID())
  const put = (next: ReadonlyMap<number, ValueDraft>) => {
    key.current = crypto.randomUUID()
    setDrafts(next)
    storeDraft(name, next.size === 0 ? undefined : [...next.values()])
  }
  const draftFor = (field: TrackerField) =>
    drafts.get(field.field_id) ??
    (field === links && parent !== undefined ? partOf(field, parent) : defaultDraft(field))
  const body = { tracker: { id: tracker.id }, values: itemsOf(fields, draftFor) }
  const { title, description, contributor } = tracker.semantics
  const meant = new Set([title, description, contributor].map((each) => each?.field_id))

  return {
    fields,
    isNeeded: (field) => field.required || meant.has(field.field_id),
    drafts,
    draftFor,
    hasLinks: links !== undefined,
    isKept,
    failure,
    isSending,
    call: { label: text('call.create'), operation: 'POST /artifacts', body },
    change: (draft) => put(new Map(drafts).set(draft.field_id, draft)),
    startOver: () => {
      setKept(false)
      setFailure(undefined)
      put(new Map())
    },
    send: async (then) => {
      if (isSending) return
      setSending(true)
      setFailure(undefined)
      const answer = await api.call('POST /artifacts', { body, idempotencyKey: key.current })
      setSending(false)
      if (!answer.ok) {
        setFailure(answer)
        return
      }
      showToast(text('new.created', { xref: answer.body.xref }))
      if (then === 'another') {
        setKept(false)
        // Title and description belong to one artifact.
        return put(new Map([...drafts].filter(([id]) => id !== title?.field_id && id !== description?.field_id)))
      }
      storeDraft(name, undefined)
      await navigate({ to: '/artifacts/$artifact', params: { artifact: String(answer.body.id) } })
    },
  }
}

/** The links of a new part of this artifact. */
function partOf({ field_id }: TrackerField, parent: number): ValueDraft {
  return { field_id, all_links: [{ id: parent, type: '_is_child', direction: 'reverse' }] }
}

/** Filled fields, and fields whose default was cleared. */
function itemsOf(fields: readonly TrackerField[], draftFor: (field: TrackerField) => ValueDraft): ValueItem[] {
  return fields.flatMap((field) => {
    const draft = draftFor(field)
    return isEmptyDraft(field, draft) && isSameDraft(draft, defaultDraft(field)) ? [] : [draft]
  })
}

function readKept(fields: readonly TrackerField[], name: string): ReadonlyMap<number, ValueDraft> {
  const known = new Set(fields.map(({ field_id }) => field_id))
  const kept = draftsIn(loadDraft(name)).filter(({ field_id }) => known.has(field_id))
  return new Map(kept.map((draft) => [draft.field_id, draft]))
}

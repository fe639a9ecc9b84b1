import type { Artifact, TrackerField } from '@waypost/sdk/api'
import { failureOf } from '../api.ts'
import { artifactQuery, type OpenArtifact, fieldValue } from '../artifacts/artifact-queries.ts'
import { baseOf, saveArtifact, type SaveResult } from '../artifacts/save-artifact.ts'
import { isSameDraft, optimisticValue, toDraft } from '../field-types/drafts.ts'
import type { ValueDraft } from '../field-types/field-type.ts'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import type { RowLoader } from '../trackers/row-loader.ts'
import { text } from './messages.ts'
import { explainRefusal, wantsComment } from '../artifacts/explain-refusal.ts'

/** The new value of one field of a card. */
export interface CardFieldChange {
  readonly field: TrackerField
  readonly draft: ValueDraft
}

export interface CardMove {
  readonly id: number
  readonly xref: string
  readonly changes: readonly CardFieldChange[]
  /** The target as text. */
  readonly to: string
  readonly comment?: string
  /** The message of success; absent: that it was moved. */
  readonly saved?: string
}

/** Data read when the card was picked up counts as fresh for this long. */
const READ_STALE_MS = 10_000

/**
 * Moves cards optimistically. A refused move is rolled back with its reason; a card that another person has moved
 * meanwhile stays where they put it.
 */
export function useMoves(loader: RowLoader | undefined, onWantsComment: (move: CardMove, why: string) => void) {
  const store = loader?.store
  const show = ({ id, changes }: CardMove, from: Artifact) => {
    for (const { field } of changes) store?.show(id, field.field_id, fieldValue(from, field.field_id))
  }

  /** True: it is saved. */
  const move = async (given: CardMove): Promise<boolean> => {
    const { id, changes, comment = '' } = given
    const seen = store?.find(id)
    if (!seen || changes.length === 0) return false
    for (const { field, draft } of changes)
      store?.show(id, field.field_id, optimisticValue(field, draft, fieldValue(seen, field.field_id)))
    const isElsewhere = (now: OpenArtifact) => changes.some(({ field }) => !isSameIn(field, now.artifact, seen))
    const kept = await readNow(id, READ_STALE_MS)
    const open = kept && isElsewhere(kept) ? await readNow(id, 0) : kept
    if (!open || isElsewhere(open)) {
      if (open) overtaken(given, open)
      else show(given, seen)
      return false
    }
    const drafts = changes.map(({ draft }) => draft)
    const saved = await saveArtifact(id, baseOf(open), drafts, comment)
    await settle(saved, given, seen)
    return saved.kind === 'saved'
  }

  const settle = async (saved: SaveResult, given: CardMove, before: Artifact): Promise<void> => {
    const { id, xref, to } = given
    switch (saved.kind) {
      case 'saved': {
        const { artifact } = queryClient.getQueryData(artifactQuery(id).queryKey) ?? {}
        if (artifact) store?.replace(artifact, performance.now())
        const { undo } = saved
        const takeBack = async () => {
          if (!undo || !artifact) return
          show(given, before)
          const { saved: _, ...back } = given
          await settle(await undo(), { ...back, to: text('board.back') }, artifact)
        }
        const message = given.saved ?? text('board.moved', { name: xref, to })
        showToast(message, undo ? { undo: () => void takeBack() } : {})
        break
      }
      case 'clash':
        overtaken(given, saved.now)
        break
      case 'refused': {
        show(given, before)
        const why = await explainRefusal(saved.failure)
        if (wantsComment(saved.failure)) onWantsComment(given, why)
        else showToast(text('board.refused', { name: xref, why }), { isTrouble: true })
        break
      }
      default:
        saved satisfies never
    }
  }

  const overtaken = ({ xref }: CardMove, { artifact }: OpenArtifact) => {
    store?.replace(artifact, performance.now())
    const { real_name, display_name } = artifact.last_update_by_user
    showToast(text('board.overtaken', { name: xref, who: real_name ?? display_name }), { isTrouble: true })
  }
  return move
}

async function readNow(id: number, staleTime: number): Promise<OpenArtifact | undefined> {
  try {
    return await queryClient.fetchQuery({ ...artifactQuery(id), staleTime })
  } catch (error) {
    const failure = failureOf(error)
    showToast(failure ? await explainRefusal(failure) : text('refusal.unknown'), { isTrouble: true })
    return undefined
  }
}

function isSameIn(field: TrackerField, one: Artifact, other: Artifact): boolean {
  return isSameDraft(toDraft(field, fieldValue(one, field.field_id)), toDraft(field, fieldValue(other, field.field_id)))
}

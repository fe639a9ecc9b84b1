import type { Artifact, TrackerField } from '@waypost/sdk/api'
import { failureOf } from '../api.ts'
import { artifactQuery, type OpenArtifact, valueOf } from '../artifacts/artifact-queries.ts'
import type { ChoiceKey } from '../artifacts/choices.ts'
import { draftOf, isSameDraft } from '../artifacts/draft.ts'
import { optimisticValue } from '../artifacts/optimistic-value.ts'
import { baseOf, saveArtifact, type Saved } from '../artifacts/save-artifact.ts'
import { queryClient } from '../query-client.ts'
import { tell } from '../shell/toasts.ts'
import type { RowLoader } from '../trackers/row-loader.ts'
import { text } from './words.ts'
import { explainRefusal, wantsComment } from './explain-refusal.ts'

/** What a card shall be in, field by field. */
export interface Change {
  readonly field: TrackerField
  readonly keys: readonly ChoiceKey[]
}

export interface Move {
  readonly id: number
  readonly xref: string
  readonly changes: readonly Change[]
  /** Where it goes, in words. */
  readonly to: string
  readonly comment?: string
}

/** How long what was read when the card was picked up is new enough. */
const JUST_READ = 10_000

/**
 * A card is where it was put at once. What is refused comes back, and says why; what somebody else has moved meanwhile is
 * where they put it.
 */
export function useMoves(loader: RowLoader | undefined, onWantsComment: (move: Move, why: string) => void) {
  const store = loader?.store
  const show = ({ id, changes }: Move, from: Artifact) => {
    for (const { field } of changes) store?.show(id, field.field_id, valueOf(from, field.field_id))
  }

  const move = async (given: Move): Promise<void> => {
    const { id, changes, comment = '' } = given
    const seen = store?.find(id)
    if (!seen || changes.length === 0) return
    const drafts = changes.map(({ field, keys }) => ({ field_id: field.field_id, bind_value_ids: keys }))
    for (const [index, { field }] of changes.entries()) {
      const draft = drafts[index]
      if (draft) store?.show(id, field.field_id, optimisticValue(field, draft, valueOf(seen, field.field_id)))
    }
    const isElsewhere = (now: OpenArtifact) => changes.some(({ field }) => !isSameIn(field, now.artifact, seen))
    const kept = await readNow(id, JUST_READ)
    const open = kept && isElsewhere(kept) ? await readNow(id, 0) : kept
    if (!open) return show(given, seen)
    if (isElsewhere(open)) return overtaken(given, open)
    await settle(await saveArtifact(id, baseOf(open), drafts, comment), given, seen)
  }

  const settle = async (saved: Saved, given: Move, before: Artifact): Promise<void> => {
    const { id, xref, to } = given
    switch (saved.kind) {
      case 'saved': {
        const { artifact } = queryClient.getQueryData(artifactQuery(id).queryKey) ?? {}
        if (artifact) store?.replace(artifact, performance.now())
        const { undo } = saved
        const takeBack = async () => {
          if (!undo || !artifact) return
          show(given, before)
          await settle(await undo(), { ...given, to: text('board.back') }, artifact)
        }
        tell(text('board.moved', { name: xref, to }), undo ? { undo: () => void takeBack() } : {})
        break
      }
      case 'clash':
        overtaken(given, saved.now)
        break
      case 'refused': {
        show(given, before)
        const why = await explainRefusal(saved.failure)
        if (wantsComment(saved.failure)) onWantsComment(given, why)
        else tell(text('board.refused', { name: xref, why }), { isTrouble: true })
        break
      }
      default:
        saved satisfies never
    }
  }

  const overtaken = ({ xref }: Move, { artifact }: OpenArtifact) => {
    store?.replace(artifact, performance.now())
    const { real_name, display_name } = artifact.last_update_by_user
    tell(text('board.overtaken', { name: xref, who: real_name ?? display_name }), { isTrouble: true })
  }
  return move
}

async function readNow(id: number, staleTime: number): Promise<OpenArtifact | undefined> {
  try {
    return await queryClient.fetchQuery({ ...artifactQuery(id), staleTime })
  } catch (error) {
    const failure = failureOf(error)
    tell(failure ? await explainRefusal(failure) : text('refusal.unknown'), { isTrouble: true })
    return undefined
  }
}

function isSameIn(field: TrackerField, one: Artifact, other: Artifact): boolean {
  return isSameDraft(draftOf(field, valueOf(one, field.field_id)), draftOf(field, valueOf(other, field.field_id)))
}

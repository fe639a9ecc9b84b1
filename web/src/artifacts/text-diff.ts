import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff'

export interface DiffPiece {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** The time grows with the square of the edits. Above this number, a diff is coarser. */
const MAX_EDITS = 500

/** A diff by words; by lines if the texts differ too much. */
export function diffWords(before: string, after: string): readonly DiffPiece[] {
  const limit = { maxEditLength: MAX_EDITS }
  const changes = diffWordsWithSpace(before, after, limit) ?? diffLines(before, after, limit)
  return (
    changes?.map(toPiece) ?? [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  )
}

function toPiece({ added, removed, value }: ChangeObject<string>): DiffPiece {
  return { kind: added ? 'added' : removed ? 'removed' : 'same', text: value }
}

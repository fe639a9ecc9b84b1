import type { QuickArtifact } from '@waypost/sdk/api'
import { foldText } from '../design/fold-text.ts'
import { beginsWords, type TypedQuery } from './read-typed.ts'

type Hit = Pick<QuickArtifact, 'title' | 'matched' | 'is_open'>

/** Better matches first, then open artifacts before closed ones; otherwise in the order of the server. */
export function orderByMatch<H extends Hit>(hits: readonly H[], typed: Pick<TypedQuery, 'query' | 'words'>): H[] {
  return hits
    .map((hit) => ({ hit, quality: matchQuality(hit, typed) }))
    .toSorted((one, other) => one.quality - other.quality || Number(other.hit.is_open) - Number(one.hit.is_open))
    .map(({ hit }) => hit)
}

/** The lower, the better: the key, the beginning of the title, beginnings of its words, a part of it, other texts. */
function matchQuality({ title, matched }: Hit, { query, words }: Pick<TypedQuery, 'query' | 'words'>): number {
  if (matched === 'id') return 0
  if (title === null || matched === 'text') return 5
  const [folded, sought] = [foldText(title), foldText(query)]
  if (folded.startsWith(sought)) return 1
  if (beginsWords(title, words)) return 2
  return folded.includes(sought) ? 3 : 4
}

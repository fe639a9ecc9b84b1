import { foldText } from '../design/fold-text.ts'

/** The kind of things that the first letter asks for. */
export type PaletteMode = 'all' | 'actions' | 'people' | 'ids'

export interface TypedQuery {
  readonly mode: PaletteMode
  /** As the server takes it. */
  readonly query: string
  readonly words: readonly string[]
}

const MODES: Readonly<Record<string, PaletteMode>> = { '>': 'actions', '@': 'people', '#': 'ids' }

/** `>` asks for actions, `@` for people, `#` for an id. */
export function readTyped(typed: string): TypedQuery {
  const text = typed.trim()
  const mode = MODES[text.charAt(0)] ?? 'all'
  const query = mode === 'all' || mode === 'ids' ? text : text.slice(1).trim()
  const words = query.split(/\s+/).filter((word) => word !== '')
  return { mode, query: mode === 'ids' && query === '#' ? '' : query, words }
}

/** The words behind the first one if it is this verb, as in `new bug`; otherwise nothing. */
export function wordsBehind(verb: string, words: readonly string[]): readonly string[] {
  const [first = '', ...others] = words
  return first.toLowerCase() === verb.toLowerCase() ? others : []
}

/** True if each word begins a word of the label. */
export function beginsWords(label: string, words: readonly string[]): boolean {
  const parts = foldText(label).split(/[^\p{L}\p{N}#]+/u)
  return words.every((word) => parts.some((part) => part.startsWith(foldText(word))))
}

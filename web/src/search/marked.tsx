import { Fragment } from 'react'

interface Props {
  readonly children: string
  readonly words: readonly string[]
}

/** A text with the beginnings of words marked that were searched for. */
export function Marked({ children, words }: Props) {
  return splitMarked(children, words).map((part, index) =>
    // Every second part is a hit. The parts of a text have no other key than their place.
    // oxlint-disable-next-line react/no-array-index-key
    index % 2 === 1 ? <mark key={index}>{part}</mark> : <Fragment key={index}>{part}</Fragment>,
  )
}

/** The parts of the text; those with an odd index are hits. */
export function splitMarked(text: string, words: readonly string[]): string[] {
  const patterns = words.map((word) =>
    word.replace(/[\\^$.*+?()[\]{}|"“”„]/g, (sign) => (/["“”„]/.test(sign) ? '' : `\\${sign}`)),
  )
  const usable = patterns.filter((pattern) => pattern !== '').toSorted((one, other) => other.length - one.length)
  if (usable.length === 0) return [text]
  return text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${usable.join('|')})`, 'giu'))
}

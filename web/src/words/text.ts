import { ENGLISH } from './english.ts'

export type Text = keyof typeof ENGLISH

type Places = Readonly<Record<string, string | number>>

/** A text of the catalogue, its places filled. */
export function text(name: Text, places: Places = {}): string {
  return filled(ENGLISH[name], places)
}

/** The text for one, or that for many. */
export function counted(one: Text, many: Text, count: number): string {
  return text(count === 1 ? one : many, counting(count))
}

export function isText(name: string): name is Text {
  return Object.hasOwn(ENGLISH, name)
}

/** The same with a catalogue that has more texts, for screens that not everybody opens: they come with these screens. */
export function wordsOf<C extends Readonly<Record<string, string>>>(catalogue: C) {
  type Name = keyof C & string
  const textOf = (name: Name, places: Places = {}): string => filled(catalogue[name] ?? name, places)
  return {
    text: textOf,
    counted: (one: Name, many: Name, count: number): string => textOf(count === 1 ? one : many, counting(count)),
    isText: (name: string): name is Name => Object.hasOwn(catalogue, name),
  }
}

function filled(words: string, places: Places): string {
  return words.replaceAll(/\{(\w+)\}/g, (_, place: string) => String(places[place] ?? ''))
}

function counting(count: number): Places {
  return { count: new Intl.NumberFormat().format(count) }
}

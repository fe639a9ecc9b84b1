import { type Chance, chanceOf } from './chance.ts'

export const WORDS =
  'the a of to and in is it for on with as by at from that this page report value list field button user group server client request answer error window file folder index query result table column row key name label color date time day week month version change history link project tracker artifact comment status person member right access rule step begin end open close read write save load sort filter search show hide move copy delete restore wait retry fail pass test check find miss lose keep send receive print count add remove slow fast wrong right empty full large small new old first last next same other every some none before after while until because'.split(
    ' ',
  )

function sentence(chance: Chance): string {
  const words = Array.from({ length: 6 + chance.integer(12) }, () => WORDS[chance.integer(WORDS.length)] ?? '')
  const marked = chance.integer(8)
  const at = chance.integer(words.length)
  const word = words[at] ?? ''
  if (marked === 0) words[at] = `**${word}**`
  if (marked === 1) words[at] = `\`${word}\``
  if (marked === 2) words[at] = `[${word}](https://docs.example/${word})`
  const line = words.join(' ')
  return `${line[0]?.toUpperCase()}${line.slice(1)}.`
}

const SENTENCES = Array.from({ length: 4096 }, (_, index) => sentence(chanceOf(-1 - index)))

/** One line of 20 to 120 characters, with a median of 60. */
export function generateTitle(place: number, chance: Chance): string {
  const share = chance.unit() * 2
  const length = Math.round(share < 1 ? 20 + share * 40 : 60 + (share - 1) * 60)
  let line = `Item ${place + 1}`
  while (line.length < length) line += ` ${WORDS[chance.integer(WORDS.length)]}`
  return line.slice(0, length).trimEnd().padEnd(20, '.')
}

const MIDDLE = 600
/** One text in twenty is longer than 4 KB. */
const SPREAD = 1.168
const MAX_DETAILS_LENGTH = 32_000

/** CommonMark paragraphs and lists, with a median of 600 bytes and a maximum of 32 KB. */
export function generateDetails(references: readonly string[], chance: Chance): string {
  const length = Math.min(MAX_DETAILS_LENGTH, Math.max(40, Math.round(MIDDLE * Math.exp(SPREAD * chance.normal()))))
  return prose(length, references, chance)
}

/** The median is 200 bytes. */
export function generateComment(references: readonly string[], chance: Chance): string {
  return prose(Math.round(200 * Math.exp(chance.normal() * 0.8)), references, chance)
}

function prose(length: number, references: readonly string[], chance: Chance): string {
  let text = references.map((reference) => `See ${reference}.`).join(' ')
  for (let part = 1; text.length < length; part++) {
    const joint = part % 5 === 0 ? '\n\n' : part % 7 === 0 ? '\n\n- ' : ' '
    text += (text === '' ? '' : joint) + (SENTENCES[chance.integer(SENTENCES.length)] ?? '')
  }
  return text.slice(0, Math.max(length, references.length * 20)).trimEnd()
}

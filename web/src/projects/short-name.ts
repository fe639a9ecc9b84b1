const MAX_SHORT_NAME_LENGTH = 30

/** Letters that their usual spelling in ASCII replaces by two. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['ø', 'oe'],
  ['å', 'aa'],
]

/** The short name that the name of a project suggests; empty if it has too few letters and digits of ASCII. */
export function suggestShortName(name: string): string {
  const spelled = SPELLINGS.reduce((text, [letter, ascii]) => text.replaceAll(letter, ascii), name.toLowerCase())
  const words = spelled
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const whole = words.reduce((text, word) => {
    const longer = text === '' ? word.slice(0, MAX_SHORT_NAME_LENGTH) : `${text}-${word}`
    return longer.length > MAX_SHORT_NAME_LENGTH ? text : longer
  }, '')
  return whole.length < 3 ? '' : whole
}

/** Letters that are no base letter with a mark. The server finds them by the same letters. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' }

/** A text without case and accents, so that `tomas` finds `Tomás`. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøđłı]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
}

/** True if the label contains all typed words, in any case and with or without accents. */
export function containsWords(label: string, typed: string): boolean {
  const folded = foldText(label)
  return foldText(typed)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}

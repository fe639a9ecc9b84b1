const patterns = new Map<string, RegExp>()

/** Somewhere in it, whatever the case: the engine's `iu` compares by the simple case folding of Unicode. */
export function contains(text: string, part: string): boolean {
  return search(part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), text)
}

/** A regular expression that means the same here and in the database: `.` is any character, and `^` begins the text. */
export function search(pattern: string, text: string): boolean {
  let compiled = patterns.get(pattern)
  if (!compiled) patterns.set(pattern, (compiled = new RegExp(pattern, 'isu')))
  return compiled.test(text)
}

export function isSameLabel(one: string, other: string): boolean {
  return contains(one, other) && contains(other, one)
}

const collator = new Intl.Collator('en', { numeric: true })

/** As people sort: letters by the alphabet and numbers by their value; what is the same then, by its bytes. */
export function compareTexts(one: string, other: string): number {
  return collator.compare(one, other) || compareBytes(one, other)
}

export function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

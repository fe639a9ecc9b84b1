const patterns = new Map<string, RegExp>()

/** Case-insensitive substring: the engine's `iu` uses the simple case folding of Unicode. */
export function containsIgnoringCase(text: string, part: string): boolean {
  return matchesPattern(part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), text)
}

/**
 * A regular expression with the same meaning here and in the database: `.` is any character, and `^` matches the start
 * of the text.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let compiled = patterns.get(pattern)
  if (!compiled) patterns.set(pattern, (compiled = new RegExp(pattern, 'isu')))
  return compiled.test(text)
}

export function isSameLabel(one: string, other: string): boolean {
  return containsIgnoringCase(one, other) && containsIgnoringCase(other, one)
}

const collator = new Intl.Collator('en', { numeric: true })

/** Natural order: letters by alphabet, numbers by value; ties by bytes. */
export function compareNaturally(one: string, other: string): number {
  return collator.compare(one, other) || compareBytes(one, other)
}

export function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

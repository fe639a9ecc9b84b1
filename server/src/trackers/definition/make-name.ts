/** A name made of words: `Assigned to` -> `assigned_to`. Letters of every script stay. */
export function slug(words: string): string {
  return words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 200)
}

/** The same, made of what names of elements may have. */
export function asciiSlug(words: string): string {
  return slug(words)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** The name, or with the first number behind it that nobody has. */
export function freeName(stem: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(stem)) return stem
  let count = 2
  while (isTaken(`${stem}_${count}`)) count++
  return `${stem}_${count}`
}

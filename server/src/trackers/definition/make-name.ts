/** A slug: `Assigned to` -> `assigned_to`. Letters of every script are kept. */
export function slug(words: string): string {
  return words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 200)
}

/** A slug limited to the characters that element names allow. */
export function asciiSlug(words: string): string {
  return slug(words)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** The name, with the lowest free number appended if it is taken. */
export function uniqueName(stem: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(stem)) return stem
  let count = 2
  while (isTaken(`${stem}_${count}`)) count++
  return `${stem}_${count}`
}

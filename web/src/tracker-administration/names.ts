/** `Assigned to` becomes `assigned_to`, as the server would name it; a number is appended if the name is taken. */
export function toElementName(label: string, fallback: string, taken: ReadonlySet<string>): string {
  const stem = asciiOf(label) || fallback
  let name = stem
  for (let count = 2; taken.has(name); count++) name = `${stem}_${count}`
  return name
}

function asciiOf(words: string): string {
  return words
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, 200)
}

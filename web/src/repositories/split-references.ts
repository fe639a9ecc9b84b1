/** The message in parts: those that are one of these references, and the text between them. */
export function splitReferences(message: string, references: readonly string[]): readonly string[] {
  if (references.length === 0) return [message]
  const names = references.map((name) => name.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  // Whole words only: a reference to `ART-7` is no link within `ART-70`.
  return message.split(new RegExp(`(?<![\\p{L}\\p{N}_])(${names.join('|')})(?![\\p{L}\\p{N}_])`, 'u'))
}

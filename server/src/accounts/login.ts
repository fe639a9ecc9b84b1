/** Normal form for comparing logins and addresses; equals `folded()` in the database. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

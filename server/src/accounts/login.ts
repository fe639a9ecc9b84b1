/** The form in which logins and addresses are compared: like `folded()` in the database. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

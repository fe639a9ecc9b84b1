/** Line and column of an offset in a text, from 1. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  let [line, start] = [1, 0]
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', start)) {
    line++
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

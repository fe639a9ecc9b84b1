export interface Piece {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Beyond this, comparing word by word would take longer than anybody waits. */
const MOST = 4_000_000

/** What became of a text, word by word; where very much has changed, line by line. */
export function diffTexts(before: string, after: string): readonly Piece[] {
  const words = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu
  const pieces = diff(before.match(words) ?? [], after.match(words) ?? []) ??
    diff(before.split(/(?<=\n)/), after.split(/(?<=\n)/)) ?? [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  return joined(pieces)
}

/** What is the same at both ends is not compared. Undefined: too much is left between them. */
function diff(was: readonly string[], is: readonly string[]): readonly Piece[] | undefined {
  let start = 0
  while (start < was.length && start < is.length && was[start] === is[start]) start++
  let end = 0
  while (end < was.length - start && end < is.length - start && was.at(-1 - end) === is.at(-1 - end)) end++
  const [old, fresh] = [was.slice(start, was.length - end), is.slice(start, is.length - end)]
  if (old.length * fresh.length > MOST) return undefined
  const same = (text: string): Piece => ({ kind: 'same', text })
  return [...was.slice(0, start).map(same), ...diffMiddle(old, fresh), ...was.slice(was.length - end).map(same)]
}

/** The longest common subsequence, by the table of its lengths. */
function diffMiddle(was: readonly string[], is: readonly string[]): Piece[] {
  const width = is.length + 1
  const lengths = new Uint32Array((was.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = was.length - 1; row >= 0; row--)
    for (let column = is.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        was[row] === is[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const pieces: Piece[] = []
  let row = 0
  let column = 0
  while (row < was.length || column < is.length) {
    const [old, fresh] = [was[row], is[column]]
    if (old !== undefined && old === fresh) {
      pieces.push({ kind: 'same', text: old })
      row++
      column++
    } else if (fresh === undefined || (old !== undefined && at(row + 1, column) >= at(row, column + 1))) {
      pieces.push({ kind: 'removed', text: old ?? '' })
      row++
    } else {
      pieces.push({ kind: 'added', text: fresh })
      column++
    }
  }
  return pieces
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const parts: Piece[] = []
  for (const { kind, text } of pieces) {
    const last = parts.at(-1)
    if (text === '') continue
    if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text }
    else parts.push({ kind, text })
  }
  return parts
}

/** Prints command output to stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Aligns rows in columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A progress line that overwrites itself; silent if stderr is not a terminal. */
export function progressBar(label: string, total: number): (done: number) => void {
  if (!process.stderr.isTTY) return () => {}
  return (done) => {
    const share = total === 0 ? 1 : done / total
    const bar = '█'.repeat(Math.round(share * 30)).padEnd(30, '░')
    process.stderr.write(`\r${label} ${bar} ${done}/${total}${done >= total ? '\n' : ''}`)
  }
}

/** What a command says to people, or to the next command. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Rows under one another, columns in line. */
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

/** One line that is drawn over itself while long work goes on; silent where nobody watches. */
export function progressBar(label: string, total: number): (done: number) => void {
  if (!process.stderr.isTTY) return () => {}
  return (done) => {
    const share = total === 0 ? 1 : done / total
    const bar = '█'.repeat(Math.round(share * 30)).padEnd(30, '░')
    process.stderr.write(`\r${label} ${bar} ${done}/${total}${done >= total ? '\n' : ''}`)
  }
}

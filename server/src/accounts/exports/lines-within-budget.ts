/**
 * Rows as JSON lines, read lazily. When the shared budget is spent, a last line marks the truncation and reading stops.
 */
export async function* linesWithinBudget(
  budget: { left: number },
  read: () => Promise<readonly object[]> | AsyncIterable<object>,
): AsyncGenerator<string> {
  for await (const each of await read()) {
    const line = `${JSON.stringify(each)}\n`
    budget.left -= line.length
    if (budget.left < 0) {
      yield '{"left_out":true}\n'
      return
    }
    yield line
  }
}

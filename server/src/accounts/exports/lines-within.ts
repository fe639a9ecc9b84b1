/**
 * Rows as lines of JSON, asked for when their turn comes. Once the budget that several share is spent, a last line says so,
 * and no more is asked for.
 */
export async function* linesWithin(
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

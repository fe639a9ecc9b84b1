import { mapInSlices } from '../operation/slices.ts'
import type { Turn } from './turn.ts'

/** Each batch is read and printed in a turn of its own. */
export async function* printInBackground<Row>(
  turn: Turn,
  batches: AsyncIterable<readonly Row[]>,
  print: (row: Row) => string,
): AsyncGenerator<string> {
  const iterator = batches[Symbol.asyncIterator]()
  for (;;) {
    const text = await turn.inBackground(async () => {
      const { done, value } = await iterator.next()
      return done ? undefined : (await mapInSlices(value, print)).join('')
    })
    if (text === undefined) return
    if (text !== '') yield text
  }
}

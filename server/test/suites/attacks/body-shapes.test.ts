import { expect, test } from 'vitest'
import { longestBlock, SHAPES } from './body-shapes.ts'

/**
 * CPU time, with margin for a slow machine and garbage collection. The target is 50 ms; `node
 * server/test/suites/attacks/body-shapes.ts` measures it for every shape.
 */
const LONGEST_BLOCK_MS = 300

test.each([
  'many members',
  'sound values',
  'few sound values',
  'few members',
  'deep arrays',
  'escaped backslashes',
  'a number of 8 million digits',
  'few XML names',
  'XML line ends',
  'an XML comment',
  'form lists',
  'a form of spaces',
])('L07 a body of 8 MiB of %s blocks the event loop only briefly', async (name) => {
  const shape = SHAPES[name]
  if (!shape) throw new Error(`There is no shape ${name}.`)
  await longestBlock(shape) // Compiles the schemas.
  expect((await longestBlock(shape)).milliseconds).toBeLessThan(LONGEST_BLOCK_MS)
})

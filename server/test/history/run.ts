import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { withOwnWorld } from '../own-world.ts'
import { type HistoryFigures, runEdits } from './run-edits.ts'

// Plays random edits on artifacts with fields of every type, and checks that their history is the truth:
// `npm run history -- --edits 10000 [--seed 1] [--shrink]`.
const { values } = parseArgs({
  options: {
    edits: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    shrink: { type: 'boolean', default: false },
  },
})
const print = (text: string) => process.stdout.write(`${text}\n`)
const told = ({ edits, artifacts, versions, idle }: HistoryFigures) =>
  `${edits} edits of ${artifacts} artifacts made ${versions} versions, ${idle} changed nothing`

const seed = values.seed === undefined ? randomInt(1, 2 ** 30) : Number(values.seed)
print(`${values.edits} edits, seed ${seed}`)
const began = Date.now()
const figures = await withOwnWorld({ name: 'history', servers: 1 }, ({ apis: [api], db }) => {
  if (!api) throw new Error('There is no server.')
  const run = {
    edits: Number(values.edits),
    seed,
    shrink: values.shrink,
    tell: (some: HistoryFigures) => print(told(some)),
  }
  return runEdits({ api, db, wait: () => {} }, run)
})
print(`All true: ${told(figures)}; ${Math.round((Date.now() - began) / 1000)} s, seed ${seed}`)

import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { withIsolatedEnvironment } from '../../harness/isolated-environment.ts'
import { type HistoryFigures, runEdits } from './run-edits.ts'

// Applies random edits to artifacts with fields of every type, and checks their history: `npm run history -- --edits
// 10000 [--seed 1] [--shrink]`.
const { values } = parseArgs({
  options: {
    edits: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    shrink: { type: 'boolean', default: false },
  },
})
const print = (text: string) => process.stdout.write(`${text}\n`)
const describeFigures = ({ edits, artifacts, versions, idle }: HistoryFigures) =>
  `${edits} edits of ${artifacts} artifacts made ${versions} versions, ${idle} changed nothing`

const seed = values.seed === undefined ? randomInt(1, 2 ** 30) : Number(values.seed)
print(`${values.edits} edits, seed ${seed}`)
const began = Date.now()
const figures = await withIsolatedEnvironment({ name: 'history', servers: 1 }, ({ apis: [api], db }) => {
  if (!api) throw new Error('There is no server.')
  const run = {
    edits: Number(values.edits),
    seed,
    shrink: values.shrink,
    tell: (some: HistoryFigures) => print(describeFigures(some)),
  }
  return runEdits({ api, db, wait: () => {} }, run)
})
print(`All true: ${describeFigures(figures)}; ${Math.round((Date.now() - began) / 1000)} s, seed ${seed}`)

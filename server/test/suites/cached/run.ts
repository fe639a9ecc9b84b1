import { parseArgs } from 'node:util'
import { table } from '../../../src/commands/print.ts'
import { withIsolatedEnvironment } from '../../harness/isolated-environment.ts'
import { playOperations } from './play-operations.ts'

// Random writes through two server processes with caches; every response is compared with that of a third one without a
// cache: `npm run cached -- --operations 100000 --seed 1 [--differences 10] [--mib 8]`.
const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    differences: { type: 'string', default: '10' },
    mib: { type: 'string', default: '8' },
  },
})
const print = (text: string) => process.stdout.write(`${text}\n`)

const began = Date.now()
const environment = (server: number) => ({ WAYPOST_CACHE_MIB: server < 2 ? values.mib : '0' })
await withIsolatedEnvironment({ name: 'cached', servers: 3, environment }, async ({ apis }) => {
  const [one, other, fresh] = apis
  if (!one || !other || !fresh) throw new Error('Three servers were started.')
  const { differences, compared, kinds } = await playOperations({
    cached: [one, other],
    fresh,
    seed: values.seed,
    operations: Number(values.operations),
    maxDifferences: Number(values.differences),
    tell: print,
  })
  const rows = [...kinds].map(([kind, { made, refused }]) => [kind, String(made), String(refused)])
  print(table([['operation', 'made', 'refused'], ...rows]))
  for (const { origin } of [one, other]) print(await lookups(origin))
  const seconds = Math.round((Date.now() - began) / 1000)
  print(`${differences} differences in ${compared} comparisons, seed ${values.seed}, ${seconds} s`)
  if (differences > 0) process.exitCode = 1
})

/** The lines of `/metrics` about the cache. */
async function lookups(origin: string): Promise<string> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith('waypost_cache_'))
    .join('\n')
}

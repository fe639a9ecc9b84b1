import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print, table } from '../../server/src/commands/print.ts'
import type { Cluster } from './cluster.ts'
import { type BenchOperation } from './operations.ts'
import { load } from './measure.ts'
import { startMeasured } from './server.ts'

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const MAX_LISTED_FUNCTIONS = 30
const OPERATIONS: readonly BenchOperation[] = ['get', 'put', 'post']

/** Profiles the server: the functions with the most samples. */
export async function profileOperations(cluster: Cluster, pace: { seconds: number; warmUp: number }): Promise<void> {
  for (const operation of OPERATIONS) {
    const folder = await mkdtemp(join(tmpdir(), 'waypost-profile-'))
    const options = `--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=${folder}`
    const server = await startMeasured(cluster.appUrl, { NODE_OPTIONS: options })
    try {
      const { perSecond } = await load({ operation, role: 'member' }, { cluster, server }, pace)
      await server.stop()
      print(`${operation}: ${perSecond.toFixed(0)} requests/s while profiled; own time of functions`)
      for (const name of await readdir(folder)) {
        const profile: Profile = JSON.parse(await readFile(join(folder, name), 'utf8'))
        print(table(topOf(profile, pace.seconds, packageIn)))
        print(table(topOf(profile, pace.seconds, functionIn)))
      }
    } finally {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

type Frame = Profile['nodes'][number]['callFrame']

const functionIn = ({ functionName, url, lineNumber }: Frame) => {
  const place = url.split('/').slice(-2).join('/')
  return `${functionName || '(anonymous)'} ${place}${place === '' ? '' : `:${lineNumber + 1}`}`
}

/** The package, or the folder of the server, of a function. */
const packageIn = ({ url, functionName }: Frame) =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ??
  /server\/src\/[^/]+\/[^/]+/.exec(url)?.[0] ??
  (url.startsWith('node:') ? url.split('/')[0] : undefined) ??
  (functionName.startsWith('(') ? functionName : 'native')

/** Shares of busy time in the last seconds of a profile, which excludes the start. */
function topOf({ nodes, samples, timeDeltas }: Profile, seconds: number, nameOf: (frame: Frame) => string): string[][] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id))
  const times = new Map<string, number>()
  let [busy, age] = [0, 0]
  for (let at = samples.length - 1; at >= 0 && age < seconds * 1e6; at--) {
    const time = timeDeltas[at] ?? 0
    const sample = samples[at] ?? 0
    age += time
    if (idle.has(sample)) continue
    busy += time
    const name = names.get(sample) ?? ''
    times.set(name, (times.get(name) ?? 0) + time)
  }
  const top = [...times].toSorted(([, one], [, other]) => other - one).slice(0, MAX_LISTED_FUNCTIONS)
  return top.map(([name, time]) => [`${((100 * time) / busy).toFixed(1)} %`, name])
}

import { setTimeout as pause } from 'node:timers/promises'
import type { RepeatableRandom } from '../server/test/suites/fuzz/random.ts'
import type { Fault, FaultKind, Scene } from './setup.ts'

/** A fault that was injected. */
export interface InjectedFault {
  readonly name: string
  readonly counts: readonly FaultKind[]
  readonly times: number
  readonly start: number
  /** The time when everything was healthy again. */
  readonly end: number
}

interface Nemesis {
  readonly faults: readonly Fault[]
  /** Injects exactly these faults, in this order. */
  readonly script?: readonly Fault[] | undefined
  readonly random: RepeatableRandom
  readonly scene: Scene
  /** The maximum pause between faults in milliseconds. */
  readonly calm: number
  /** Called before each fault with all previous ones. */
  readonly goesOn: (happened: readonly InjectedFault[]) => boolean
  readonly after: (happened: readonly InjectedFault[]) => Promise<void>
}

/** Injects one fault after the other. The seed alone determines choice and order. */
export async function injectFaults(nemesis: Nemesis): Promise<readonly InjectedFault[]> {
  const { faults, script, random, scene, calm, goesOn, after } = nemesis
  const happened: InjectedFault[] = []
  for (let deck = script?.toReversed() ?? []; goesOn(happened); ) {
    // A shuffled deck: each kind occurs according to its share before it repeats.
    if (deck.length === 0 && !script)
      deck = random.shuffled(faults.flatMap((fault) => Array.from({ length: fault.share }, () => fault)))
    const fault = deck.pop()
    if (!fault) return happened
    await pause(random.integer(Math.min(500, calm), calm))
    if (!goesOn(happened)) break
    scene.note(fault.name)
    const start = performance.now()
    const times = (await fault.inject(scene)) ?? 1
    happened.push({ name: fault.name, counts: fault.counts, times, start, end: performance.now() })
    await after(happened)
  }
  return happened
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../server/test/fuzz/random.ts'
import type { Fault, FaultKind, Scene } from './setup.ts'

/** One fault that was made. */
export interface Happened {
  readonly name: string
  readonly counts: readonly FaultKind[]
  readonly times: number
  readonly start: number
  /** Everything was whole again. */
  readonly end: number
}

interface Nemesis {
  readonly faults: readonly Fault[]
  /** These, one after the other, and no more. */
  readonly script?: readonly Fault[] | undefined
  readonly random: Random
  readonly scene: Scene
  /** In milliseconds, between one fault and the next, at most. */
  readonly calm: number
  /** Asked before each fault, with all that happened. */
  readonly goesOn: (happened: readonly Happened[]) => boolean
  readonly after: (happened: readonly Happened[]) => Promise<void>
}

/** Makes one fault after the other. Which ones, in which order, is the seed's choice alone. */
export async function rage(nemesis: Nemesis): Promise<readonly Happened[]> {
  const { faults, script, random, scene, calm, goesOn, after } = nemesis
  const happened: Happened[] = []
  for (let deck = script?.toReversed() ?? []; goesOn(happened); ) {
    // Each kind comes as often as its share says, before any comes more often.
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

import * as fc from 'fast-check'
import { checkAnswers, checkStored } from './check-history.ts'
import { checkSight } from './check-sight.ts'
import { edit } from './edits.ts'
import { type HistoryWorld, playEdits, setStage } from './play-edits.ts'

export interface HistoryFigures {
  edits: number
  artifacts: number
  versions: number
  /** Edits that changed nothing. */
  idle: number
}

interface HistoryRun {
  readonly edits: number
  readonly seed: number
  /** Looks for the shortest edits that fail; this takes long. */
  readonly shrink?: boolean
  readonly tell?: (figures: HistoryFigures) => void
}

const LONGEST = 40
const AT_ONCE = 2

/** Plays at least this many random edits, over HTTP, and checks the history of every artifact after its last. */
export async function runEdits(
  world: HistoryWorld,
  { edits, seed, shrink = false, tell }: HistoryRun,
): Promise<HistoryFigures> {
  const stage = await setStage(world)
  const figures: HistoryFigures = { edits: 0, artifacts: 0, versions: 0, idle: 0 }
  const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: LONGEST, size: 'max' }), async (some) => {
    const played = await playEdits(stage, some)
    const history = await checkStored(stage.db, played.id)
    await checkAnswers(stage, played, history)
    await checkSight(stage, played.id, history)
    figures.edits += some.length
    figures.artifacts++
    figures.versions += history.length
    figures.idle += played.idle
  })
  for (let round = 0; figures.edits < edits; round++) {
    await fc.assert(property, { seed: seed + round, numRuns: AT_ONCE, endOnFailure: !shrink })
    tell?.(figures)
  }
  for (const id of [...stage.parents, ...stage.targets]) await checkStored(stage.db, id)
  return figures
}

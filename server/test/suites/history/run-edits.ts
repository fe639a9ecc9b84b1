import * as fc from 'fast-check'
import { checkAnswers, checkStored } from './check-history.ts'
import { checkVisibleVersions } from './check-visibility.ts'
import { edit } from './edits.ts'
import { type HistoryWorld, playEdits, createHistoryFixture } from './play-edits.ts'

export interface HistoryFigures {
  edits: number
  artifacts: number
  versions: number
  /** Edits without a change. */
  idle: number
}

interface HistoryRun {
  readonly edits: number
  readonly seed: number
  /** Shrinks failing edits; slow. */
  readonly shrink?: boolean
  readonly tell?: (figures: HistoryFigures) => void
}

const MAX_EDITS_PER_ARTIFACT = 40
const RUNS_PER_ROUND = 2

/** Applies at least this many random edits over HTTP, and checks the history of every artifact afterwards. */
export async function runEdits(
  world: HistoryWorld,
  { edits, seed, shrink = false, tell }: HistoryRun,
): Promise<HistoryFigures> {
  const stage = await createHistoryFixture(world)
  const figures: HistoryFigures = { edits: 0, artifacts: 0, versions: 0, idle: 0 }
  const property = fc.asyncProperty(
    fc.array(edit, { minLength: 1, maxLength: MAX_EDITS_PER_ARTIFACT, size: 'max' }),
    async (some) => {
      const played = await playEdits(stage, some)
      const history = await checkStored(stage.db, played.id)
      await checkAnswers(stage, played, history)
      await checkVisibleVersions(stage, played.id, history)
      figures.edits += some.length
      figures.artifacts++
      figures.versions += history.length
      figures.idle += played.idle
    },
  )
  for (let round = 0; figures.edits < edits; round++) {
    await fc.assert(property, { seed: seed + round, numRuns: RUNS_PER_ROUND, endOnFailure: !shrink })
    tell?.(figures)
  }
  for (const id of [...stage.parents, ...stage.targets]) await checkStored(stage.db, id)
  return figures
}

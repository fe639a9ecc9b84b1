import { ADA, GUS, MARA, TOM, UMA } from '../../fixtures/people.ts'
import {
  BUGS,
  GATED,
  GATES,
  LEDGER,
  LOST_BUG,
  OPEN_BUG,
  OPEN_GATE,
  ORCHARD,
  SAFE_SECRET,
} from '../../fixtures/seed-ids.ts'
import type { RepeatableRandom } from './random.ts'
import { anyone, type Recipe, some } from './recipe.ts'
import { SPARE_ARCHIVE } from './spares.ts'

const administrator = (random: RepeatableRandom) => random.pick([UMA, MARA, GUS, ADA])

/** Moving, copying and deleting artifacts, and reading the trash. */
export const RECIPES_OF_TRASH: Readonly<Record<string, Recipe>> = {
  // The artifacts are shared, so these are dry runs.
  moveArtifact: (_known, random) => ({
    as: ADA,
    params: { id: SAFE_SECRET },
    body: { move: { tracker_id: LEDGER, ...some(random, { should_populate_feedback_on_success: true }) } },
    dryRun: true,
  }),
  deleteArtifact: (_known, random) =>
    random.chance(0.3)
      ? { as: ADA, params: { id: LOST_BUG }, query: { purge: 'true' }, dryRun: true }
      : { as: administrator(random), params: { id: OPEN_BUG }, dryRun: true },
  restoreArtifact: (_known, random) => ({ as: administrator(random), params: { id: LOST_BUG }, dryRun: true }),
  copyArtifact(_known, random) {
    const members = {
      links: random.pick(['none', 'forward']),
      files: random.chance(0.5),
      comments: random.chance(0.5),
      values_by_field: random.pick<object>([{ summary: 'Über & <unter>' }, { points: 3, due: '2026-02-28' }]),
      tracker: { id: BUGS },
    }
    return { as: random.pick([TOM, MARA, ADA]), params: { id: OPEN_BUG }, body: some(random, members, 0.5) }
  },
  rankArtifacts: (_known, random) => ({
    as: random.pick([MARA, ADA]),
    params: { id: GATES },
    body: { ids: [OPEN_GATE], [random.pick(['before', 'after'])]: GATED },
  }),
  getRank: (_known, random) => ({ as: random.pick([MARA, ADA]), params: { id: GATES } }),
  listRankChanges: (_known, random) => ({ as: anyone(random), params: { id: OPEN_BUG } }),
  listCannedResponses: (_known, random) => ({ as: random.pick([TOM, MARA, ADA]), params: { id: BUGS } }),
  listTrackerTrash: (_known, random) => ({ as: administrator(random), params: { id: BUGS } }),
  listProjectTrash: (_known, random) => ({ as: random.pick([MARA, ADA]), params: { id: ORCHARD } }),
  listTrash(_known, random) {
    const filters = {
      type: random.pick(['artifact', 'tracker', 'project', 'repository']),
      project: String(ORCHARD),
      from: '2020-02-29T12:00:00+01:00',
      to: '2099-01-01',
    }
    return { as: ADA, query: chosen(random, filters) }
  },
  listArchives(_known, random) {
    const filters = {
      project: String(ORCHARD),
      tracker: String(BUGS),
      artifact: String(OPEN_BUG),
      deleted_by: String(MARA.id),
      state: random.pick(['waiting', 'written', 'failed', 'restored', 'expired']),
      from: '2020-01-01',
    }
    return { as: ADA, query: chosen(random, filters) }
  },
  getArchive: () => ({ as: ADA, params: { id: SPARE_ARCHIVE } }),
  getArchiveContent: (_known, random) => ({
    as: ADA,
    params: { id: SPARE_ARCHIVE },
    ...(random.chance(0.2) && { headers: { accept: 'application/zip' } }),
  }),
}

function chosen(random: RepeatableRandom, filters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(() => random.chance(0.25)))
}

import { ADA, GUS, MARA, TOM, UMA } from '../../fixtures/people.ts'
import { OPEN_FOLDER, PAPER, PAPERS } from '../../fixtures/seed-ids.ts'
import { ownFileOf } from '../../fixtures/seed-files.ts'
import type { RepeatableRandom } from './random.ts'
import { ACTIVE, anyone, type Recipe, type Wish } from './recipe.ts'

const insiders = [UMA, MARA, GUS, ADA] as const
const NAMES: readonly [string, ...string[]] = [
  'plan.txt',
  '.htaccess',
  '"; filename=evil.exe',
  'Ünïcødé 船 🌳.png',
  '%2e%2e%2f',
  `${'x'.repeat(251)}.bin`,
]
const TYPES: readonly [string, ...string[]] = ['text/plain', 'image/svg+xml', 'no type at all', '']

/** The existing files are empty, so no offset beyond the start is valid. */
const chunk = (random: RepeatableRandom) => ({ limit: random.pick(['0', '10', '1048576']), offset: '0' })

/** An own file that is not attached. */
function own(random: RepeatableRandom): Wish {
  const as = random.pick(ACTIVE)
  return { as, params: { id: ownFileOf(as) } }
}

/** Uploading files, and reading them. */
export const RECIPES_OF_FILES: Readonly<Record<string, Recipe>> = {
  announceFile(_known, random) {
    const body = {
      name: random.pick(NAMES),
      file_size: random.pick([0, 1, 1_048_577, 1_073_741_824]),
      ...(random.chance(0.5) && { file_type: random.pick(TYPES) }),
      ...(random.chance(0.5) && { description: random.pick(NAMES) }),
    }
    if (random.chance(0.2)) return { as: random.pick(insiders), params: { id: PAPERS.ledger }, body }
    return { as: random.pick([TOM, ...insiders]), params: { id: PAPERS.folders }, body }
  },
  getArtifactFile(_known, random) {
    if (random.chance(0.3)) return { ...own(random), query: chunk(random) }
    if (random.chance(0.2))
      return {
        as: random.pick(insiders),
        params: { id: random.pick([PAPER.ledger, PAPER.gated]) },
        query: chunk(random),
      }
    return { as: anyone(random), params: { id: PAPER.open }, query: chunk(random) }
  },
  createTemporaryFile(_known, random) {
    const body = {
      name: random.pick(NAMES),
      mimetype: random.pick(TYPES),
      content: random.pick(['', 'QUFB', 'AAECAw==', 'A'.repeat(65_536)]),
      ...(random.chance(0.5) && { description: random.pick(NAMES) }),
    }
    return { as: random.pick(ACTIVE), body }
  },
  // The second chunk is stored once, and recognized when it is repeated.
  appendChunk: (_known, random) => ({ ...own(random), body: { content: 'QkJC', offset: 2 } }),
  listTemporaryFiles: (_known, random) => ({ as: random.pick(ACTIVE) }),
  getTemporaryFile: (_known, random) => ({ ...own(random), query: chunk(random) }),
  deleteTemporaryFile: (_known, random) => ({ ...own(random), dryRun: true }),
}

/** Files as the value of a field: kept, removed, and a dry run with an unattached one. */
export function attachWish(random: RepeatableRandom): Wish {
  const as = random.pick([TOM, MARA, UMA])
  const of = (papers: object) => ({ values_by_field: { papers } })
  const isRehearsed = random.chance(0.4)
  const body = isRehearsed
    ? of({ add: [ownFileOf(as)] })
    : of(random.pick<object>([{ value: [PAPER.open] }, { value: [] }, { remove: [PAPER.open] }]))
  return { as, params: { id: OPEN_FOLDER }, body, dryRun: isRehearsed }
}

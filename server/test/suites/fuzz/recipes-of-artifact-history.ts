import type { ArtifactId } from '../../../src/artifacts/artifact.ts'
import { ADA, MARA, type TestPerson, TOM, UMA } from '../../fixtures/people.ts'
import { LEDGER_SECRET, OPEN_BUG } from '../../fixtures/seed-ids.ts'
import { firstVersionOf } from '../../fixtures/insert-artifact.ts'
import type { RepeatableRandom } from './random.ts'
import { ACTIVE, anyone, type Recipe } from './recipe.ts'

/** An artifact, and a person who may read it. */
function readable(random: RepeatableRandom): { id: ArtifactId; as: TestPerson | undefined } {
  if (random.chance(0.2)) return { id: LEDGER_SECRET, as: random.pick([UMA, MARA, ADA]) }
  return { id: OPEN_BUG, as: anyone(random) }
}

/** A comment of Tom. */
const COMMENT = { id: OPEN_BUG, changeset_id: firstVersionOf(OPEN_BUG) }

const react: Recipe = (_known, random) => ({
  as: random.pick(ACTIVE),
  params: { ...COMMENT, reaction: random.pick(['thumbs_up', 'heart', 'eyes']) },
})

export const RECIPES_OF_ARTIFACT_HISTORY: Readonly<Record<string, Recipe>> = {
  listChangesets(_known, random) {
    const { id, as } = readable(random)
    const query = random.pick<Record<string, string>>([
      {},
      { fields: 'comments' },
      { order: 'desc', limit: '1' },
      { fields: 'all', order: 'asc', diff: 'true', offset: '1' },
    ])
    return { as, params: { id }, query }
  },
  getChangeset(_known, random) {
    const { id, as } = readable(random)
    const query = random.chance(0.5) ? { query: { diff: 'true' } } : {}
    return { as, params: { id, changeset_id: firstVersionOf(id) }, ...query }
  },
  getComment: (_known, random) => ({ as: anyone(random), params: COMMENT }),
  updateComment(_known, random) {
    const body = random.pick(['Seen **once**.', 'see art #1', '<b>x</b><script>y</script>', 'Ünïcødé 船'])
    const format = random.chance(0.5) ? { format: random.pick(['text', 'html', 'commonmark']) } : {}
    return { as: TOM, params: COMMENT, body: { body, ...format } }
  },
  // Only as a dry run: there is no other comment.
  deleteComment: (_known, random) => ({ as: random.pick([TOM, MARA, ADA]), params: COMMENT, dryRun: true }),
  addReaction: react,
  removeReaction: react,
}

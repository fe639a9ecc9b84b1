import { ADA } from '../../fixtures/people.ts'
import { BUGS, ORCHARD } from '../../fixtures/seed-ids.ts'
import type { Recipe } from './recipe.ts'
import { SPARE_IMPORT } from './spares.ts'

const ITEM = {
  source_key: 'OLD-1',
  tracker: { id: BUGS },
  versions: [{ author: 'tom', time: '2019-05-01T00:00:00Z', values_by_field: { summary: 'Über & <unter>' } }],
}

/** Imports hide their project, so these are dry runs. */
export const RECIPES_OF_IMPORTS: Readonly<Record<string, Recipe>> = {
  beginImport: () => ({ as: ADA, params: { id: ORCHARD }, body: { source: 'old.example' }, dryRun: true }),
  listImports: () => ({ as: ADA, params: { id: ORCHARD } }),
  getImport: () => ({ as: ADA, params: { id: SPARE_IMPORT } }),
  finishImport: () => ({ as: ADA, params: { id: SPARE_IMPORT }, body: { state: 'finished' }, dryRun: true }),
  importItems: () => ({
    as: ADA,
    params: { id: SPARE_IMPORT },
    headers: { accept: 'application/x-ndjson' },
    body: [ITEM],
    dryRun: true,
  }),
}

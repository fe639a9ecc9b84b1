import type { Db } from '../src/platform/database/db.ts'
import type { TrackerDefinition } from '../src/trackers/definition/schemas.ts'
import { LEDGER_CANARY, VAULT_CANARY } from './canaries.ts'
import { insertArtifact, LONG_AGO, type Seeded } from './insert-artifact.ts'
import {
  BUG,
  BUGS,
  GATED,
  GATES,
  LEADS,
  LEDGER,
  LEDGER_SECRET,
  LOST_BUG,
  MARSH_BUGS,
  MARSH_SECRET,
  OPEN_BUG,
  OPEN_GATE,
  ORCHARD,
  SAFE,
  SAFE_SECRET,
} from './places.ts'
import { seedFiles } from './seed-files.ts'
import { seedRepositories } from './seed-repositories.ts'
import { seedNotifications } from './seed-notifications.ts'
import { insertTracker } from './seed-trackers.ts'
import { seedWebhooks } from './seed-webhooks.ts'

const [SAFE_TITLE, LEDGER_TITLE, MARSH_TITLE, GATE_TITLE, GATE_PERM] = [7121, 7141, 7181, 7901, 7902]

const GATES_DEFINITION: TrackerDefinition = {
  label: 'Gates',
  item_name: 'gate',
  permissions: { full: ['@anonymous'] },
  elements: [
    { name: 'summary', type: 'string', label: 'Summary' }, // 7901
    { name: 'seen_by', type: 'perm', label: 'Seen by' }, // 7902
    { name: 'links', type: 'art_link', label: 'Links' }, // 7903
    { name: 'title', type: 'string', label: 'Title' }, // 7904
  ],
  semantics: { title: 'summary' },
}

const ARTIFACTS: readonly Seeded[] = [
  { id: OPEN_BUG, tracker: BUGS, title: BUG.summary, text: 'Pump leaks' },
  { id: SAFE_SECRET, tracker: SAFE, title: SAFE_TITLE, text: VAULT_CANARY },
  { id: LEDGER_SECRET, tracker: LEDGER, title: LEDGER_TITLE, text: LEDGER_CANARY },
  { id: LOST_BUG, tracker: BUGS, title: BUG.summary, text: 'Gone', isDeleted: true },
  { id: MARSH_SECRET, tracker: MARSH_BUGS, title: MARSH_TITLE, text: 'Mud' },
  {
    id: GATED,
    tracker: GATES,
    title: GATE_TITLE,
    text: LEDGER_CANARY,
    more: { [GATE_PERM]: [LEADS] },
    restricted_to: [LEADS],
  },
  { id: OPEN_GATE, tracker: GATES, title: GATE_TITLE, text: 'Open gate' },
]

/** Artifacts of the trackers of the small world, for tests that need one wherever something may be hidden. */
export async function seedArtifacts(db: Db): Promise<void> {
  await insertTracker(db, { id: GATES, project_id: ORCHARD, at: 40, deleted_on: null }, GATES_DEFINITION, LONG_AGO)
  for (const artifact of ARTIFACTS) await insertArtifact(db, artifact)
  await seedRepositories(db)
  await seedWebhooks(db)
  await seedFiles(db)
  await seedNotifications(db)
}

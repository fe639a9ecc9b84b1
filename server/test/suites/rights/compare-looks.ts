import { findUsableViewer } from '../../../src/accounts/sign-in/find-viewer.ts'
import type { ArtifactId } from '../../../src/artifacts/artifact.ts'
import { lookUpBySql } from '../../../src/artifacts/reading/look-by-sql.ts'
import { lookUpByRights } from '../../../src/artifacts/reading/look-by-rights.ts'
import type { LookRow } from '../../../src/artifacts/reading/look-rows.ts'
import { representArtifact } from '../../../src/artifacts/reading/represent-artifact.ts'
import { toFoundArtifact } from '../../../src/artifacts/reading/find-artifact.ts'
import { inSnapshot, type Tx } from '../../../src/platform/database/db.ts'
import { ANONYMOUS_VIEWER } from '../../../src/platform/http/request-state.ts'
import type { Viewer } from '../../../src/platform/http/viewer.ts'
import { selectCatalogue } from '../../../src/platform/messages/catalogue.ts'
import type { Context } from '../../../src/platform/operation/context.ts'
import type { TestPerson } from '../../fixtures/people.ts'

export interface LookFigures {
  compared: number
  /** Looks that only SQL can decide. */
  undecided: number
  hidden: number
  readonly differences: string[]
}

export function createLookFigures(): LookFigures {
  return { compared: 0, undecided: 0, hidden: 0, differences: [] }
}

/** The people as viewers who can sign in now, an anonymous one, and each with a key that is limited to one project. */
export async function findViewers(
  context: Context,
  people: readonly TestPerson[],
  limitedTo: readonly number[],
): Promise<Viewer[]> {
  const viewers: Viewer[] = [ANONYMOUS_VIEWER]
  for (const { id } of people) {
    const viewer = await findUsableViewer(context, id)
    if (!viewer) continue
    viewers.push(viewer)
    for (const project of limitedTo)
      viewers.push({
        ...viewer,
        is_site_admin: false,
        credential: { kind: 'access_key', id: null, projects: [project] },
      })
  }
  return viewers
}

/** Looks up each artifact for each viewer by remembered rights and by SQL, in one snapshot, and compares every byte. */
export async function compareLooks(
  context: Context,
  viewers: readonly Viewer[],
  ids: readonly ArtifactId[],
  figures: LookFigures,
  note: string,
): Promise<void> {
  await inSnapshot(context.db, async (tx) => {
    for (const viewer of viewers)
      for (const id of ids) {
        const remembered = await lookUpByRights(context, tx, viewer, id)
        if (remembered === 'undecided') {
          figures.undecided++
          continue
        }
        const [decided = 'hidden'] = await lookUpBySql(tx, viewer, [id])
        figures.compared++
        if (decided === 'hidden') figures.hidden++
        const [one, other] = [await print(context, tx, viewer, remembered), await print(context, tx, viewer, decided)]
        if (one !== other)
          figures.differences.push(`${note}: artifact ${id}, account ${viewer.account_id}:\n${one}\n${other}`)
      }
  })
}

/** The looked up rows and the representation that is made of them. */
async function print(context: Context, tx: Tx, viewer: Viewer, row: LookRow | 'hidden'): Promise<string> {
  if (row === 'hidden') return row
  const found = await toFoundArtifact(context, tx, viewer, row)
  if (!found) throw new Error(`The tracker of artifact ${row.id} has another access version in the same snapshot.`)
  const audience = { context, db: tx, viewer, language: selectCatalogue(['en']) }
  const shown = await representArtifact(audience, found, { values: 'all', everyType: true })
  const { people, forward, reverse, outgoing, incoming, artifact } = found
  return JSON.stringify([shown, sorted({ people, forward, reverse, outgoing, incoming, artifact })])
}

/** With members in one order, in which JSON of the database need not be. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]))
}

import { failpoint } from '#failpoint'
import type { Origin } from '../../platform/database/audit.ts'
import type { FreeWork, Work } from '../../platform/http/work.ts'
import type { Artifact } from '../artifact.ts'
import { writeReverseLinks } from '../links/write-reverse-links.ts'
import { mayTrigger, runTriggers } from '../rules/run-triggers.ts'
import { type Author, type Draft, type Target } from './draft-version.ts'
import { effectsOf } from './effects.ts'
import { eventOf } from './event.ts'
import { insertArtifact } from './insert-artifact.ts'
import { hasNewValues, makeOpenValues } from './open-values.ts'
import { type NewVersion, writeVersion } from './write-version.ts'

/**
 * Writes a drafted version: by one statement where that is all there is to write, else with what else has to be written
 * in one transaction. Undefined: the world has moved on, and whoever drafted it looks again.
 */
export async function saveVersion(
  work: FreeWork,
  author: Author,
  target: Target,
  draft: Draft,
): Promise<Artifact | undefined> {
  const isAlone = draft.reverse.length === 0 && !hasNewValues(draft.changes) && !(await mayTrigger(author, target))
  failpoint('artifact.drafted')
  if (isAlone) return work.statement((db) => save({ ...author, db }, target, draft, work))
  return work
    .whole((whole) => saveWhole(whole, author, target, draft))
    .catch((error: unknown) => {
      if (error instanceof MovedOn) return undefined
      throw error
    })
}

/** Rolls back what was written beside a version that could not be. */
class MovedOn extends Error {}

async function saveWhole(work: Work, author: Author, target: Target, draft: Draft): Promise<Artifact> {
  const inside = { ...author, db: work.tx }
  const [changes = draft.changes] = await makeOpenValues(work.tx, target.sight.tracker, [draft.changes])
  failpoint('artifact.labelled')
  const isChanged = !target.found || changes.size > 0 || draft.comment !== null
  const after = isChanged ? await save(inside, target, { ...draft, changes }, work) : target.found?.artifact
  if (!after) throw new MovedOn()
  failpoint('artifact.written')
  await writeReverseLinks(work, inside, after, draft.reverse)
  if (isChanged) await runTriggers(work, inside, target, after)
  failpoint('artifact.triggered')
  return after
}

/** By one statement, whatever else has to be written. */
export async function save(
  author: Author,
  target: Target,
  draft: Draft,
  { origin }: Pick<FreeWork, 'origin'>,
): Promise<Artifact | undefined> {
  const { found, sight } = target
  const version = newVersion(author, target, draft, origin)
  return found
    ? writeVersion(author.db, found.artifact, sight.tracker, version)
    : insertArtifact(author.db, sight.tracker, version)
}

export function newVersion(
  { context, viewer, now }: Author,
  { sight, found }: Target,
  draft: Draft,
  origin: Origin,
): NewVersion {
  const world = { tracker: sight.tracker, referenceKinds: context.referenceKinds }
  return {
    changes: JSON.stringify(Object.fromEntries(draft.changes)),
    effects: effectsOf(world, found?.artifact.field_values ?? {}, draft.changes),
    comment: draft.comment,
    origin,
    event: eventOf(sight, found, draft),
    author: viewer.account_id ?? null,
    now,
  }
}

import { failpoint } from '#failpoint'
import type { Work } from '../../platform/http/work.ts'
import { untilUnchanged } from '../../platform/operation/until-unchanged.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { Artifact } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import type { Author } from '../writing/draft-version.ts'
import { effectsOf, linksIn } from '../writing/effects.ts'
import { reportOther } from '../writing/report.ts'
import { writeVersion } from '../writing/write-version.ts'
import type { ReverseLink } from './plan-links.ts'
import { writableLinkField } from './require-source.ts'

/** Writes links on the artifacts that they start from: a version there, in the same transaction. */
export async function writeReverseLinks(
  work: Work,
  author: Author,
  target: Pick<Artifact, 'id'>,
  links: readonly ReverseLink[],
): Promise<void> {
  // In the order of ids, so that two who write to the same artifacts do not wait for each other.
  for (const link of links.toSorted((one, other) => one.source - other.source))
    await writeReverseLink(work, author, target, link)
}

/** Looked at again, as everything that was decided before this transaction. */
async function writeReverseLink(
  work: Work,
  author: Author,
  target: Pick<Artifact, 'id'>,
  { source, type, path }: ReverseLink,
): Promise<void> {
  const { context, db, viewer, now } = author
  await untilUnchanged(async () => {
    const found = await findArtifact(context, db, viewer, source)
    const { tracker } = found.sight
    const field = writableLinkField(found.sight)
    if (!field) throw new ApiError('value_not_allowed', { cause: 'link_field_missing', path })
    const links = new Map(
      linksIn(found.artifact.field_values[String(field.id)]).map((each) => [each.target, each.type]),
    )
    if ((links.get(target.id) ?? null) === type) return found.artifact
    if (type === null) links.delete(target.id)
    else links.set(target.id, type)
    const changes = new Map([[field.id, Object.fromEntries(links)]])
    const written = await writeVersion(db, found.artifact, tracker, {
      changes: JSON.stringify(Object.fromEntries(changes)),
      effects: effectsOf({ tracker, referenceKinds: context.referenceKinds }, found.artifact.field_values, changes),
      comment: null,
      origin: work.origin,
      event: { type: 'artifact.updated', payload: { changed: [field.id], has_comment: false } },
      author: viewer.account_id ?? null,
      now,
    })
    if (!written) return undefined
    failpoint('artifact.linked')
    if (work.isDryRun) await reportOther(work, author, found, [field.id])
    return written
  })
}

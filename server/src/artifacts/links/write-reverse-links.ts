import { failpoint } from '#failpoint'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { Artifact } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { buildVersion } from '../update-artifact/derived-rows.ts'
import { reportOther } from '../update-artifact/dry-run-report.ts'
import { originElsewhere } from '../update-artifact/origin-elsewhere.ts'
import { appendVersion } from '../update-artifact/version-ctes.ts'
import type { Author } from '../update-artifact/version-draft.ts'
import { storedLinkRows } from './link-field.ts'
import type { ReverseLink } from './link-planning.ts'
import { writableLinkField } from './require-source.ts'

/** Writes links on their source artifacts, as versions in the same transaction. */
export async function writeReverseLinks(
  work: WriteContext,
  author: Author,
  target: Pick<Artifact, 'id'>,
  links: readonly ReverseLink[],
): Promise<void> {
  // Ordered by id to prevent deadlocks.
  for (const link of links.toSorted((one, other) => one.source - other.source))
    await writeReverseLink(work, author, target, link)
}

/** Checks permissions again inside the transaction, because the plan was made before it. */
async function writeReverseLink(
  work: WriteContext,
  author: Author,
  target: Pick<Artifact, 'id'>,
  { source, type, path }: ReverseLink,
): Promise<void> {
  const { context, db, viewer } = author
  await retryOnConflict(async () => {
    const found = await findArtifact(context, db, viewer, source)
    const { access } = found
    const field = writableLinkField(access)
    if (!field) throw new ApiError('value_not_allowed', { cause: 'link_field_missing', path })
    const links = new Map(
      storedLinkRows(found.artifact.field_values[String(field.id)]).map((each) => [each.target, each.type]),
    )
    if ((links.get(target.id) ?? null) === type) return found.artifact
    if (type === null) links.delete(target.id)
    else links.set(target.id, type)
    const changes = new Map([[field.id, Object.fromEntries(links)]])
    const draft = { changes, comment: null, transition: undefined }
    const version = buildVersion(author, { access, found }, draft, originElsewhere(work.origin, access))
    const written = await appendVersion(db, found.artifact, access.tracker, version)
    if (!written) return undefined
    failpoint('artifact.linked')
    if (work.isDryRun) await reportOther(work, author, found, [field.id])
    return written
  })
}

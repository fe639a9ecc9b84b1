import { Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { requirePrecondition } from '../../platform/wire/etag.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { type ArtifactId, artifactVersion } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { ArtifactRepresentation, representArtifact } from '../reading/represent-artifact.ts'
import { reportVersion } from '../update-artifact/dry-run-report.ts'
import { readAfterChange, replayArtifact } from '../update-artifact/respond.ts'
import { changeArtifact } from '../update-artifact/update-artifact.ts'
import { readableLinkField } from './link-field.ts'

const Link = Type.Object(
  {
    id: Type.Unknown({ description: 'The artifact at the other end.' }),
    type: Type.Optional(Type.Unknown({ description: 'Required; empty for a link without a type.' })),
    direction: Type.Optional(Type.Unknown({ description: '`forward` (the default) or `reverse`.' })),
  },
  { additionalProperties: false },
)

export const setLinks = writeRoute({
  method: 'PUT',
  path: '/artifacts/:id/links',
  operationId: 'setLinks',
  summary: 'Replace the links of an artifact, in both directions.',
  description:
    'Replaces all links, forward and reverse, in one version. Everyone who may update the link field here and, for reverse links, there. Unknown and hidden targets look the same: 400. Trackers without a link field are 400.',
  access: 'signed_in',
  action: null,
  notifies: true,
  singleStatement: true,
  versioned: 'dated',
  params: { id: idParam<ArtifactId>('The artifact.') },
  body: Type.Object({ all_links: Type.Array(Link) }),
  answer: ArtifactRepresentation,
  async handle({ context, viewer, language, params, body, headers }, work) {
    requireAccount(viewer)
    const { isDryRun, origin } = work
    const { isSilent } = origin
    const author = { context, viewer, language, db: work.db, now: context.clock.now(), isDryRun, isSilent }
    const found = await findArtifact(context, work.db, viewer, params.id)
    const field = readableLinkField(found.access)
    if (!field) {
      requirePrecondition(headers, artifactVersion(found.artifact))
      throw new ApiError('value_not_allowed', { cause: 'link_field_missing', path: 'all_links' })
    }
    const all_links = body.all_links.map((link) => ({ direction: 'forward', ...link }))
    const values = [{ field_id: field.id, all_links }]
    const changing = changeArtifact(work, author, params.id, { values }, headers)
    const change = await changing.catch((error: unknown) => {
      throw error instanceof ApiError ? asSent(error) : error
    })
    const after = await readAfterChange(author, change)
    if (work.isDryRun) await reportVersion(work, author, change.before, after, change.draft)
    const answer = await representArtifact(author, after, { values: 'collection' })
    return { body: answer, version: artifactVersion(after.artifact) }
  },
  async replay({ context, viewer, language }, stored) {
    const audience = { context, db: context.db, viewer, language }
    const { found, shown } = await replayArtifact(audience, stored, 'collection')
    return { body: shown, version: artifactVersion(found.artifact) }
  },
})

/** The client sent no `values`: map the path of the error to the path in the request body. */
function asSent(error: ApiError): ApiError {
  const place = ({ path, ...rest }: { path?: string }) => ({
    ...rest,
    ...(path !== undefined && { path: path.replace(/^values\[0\]\.?/, '') }),
  })
  const { details } = error
  if (!details) return error
  const all = details.all?.map((each) => ({ ...each, ...place(each) }))
  return new ApiError(error.reason, { ...details, ...place(details), ...(all && { all }) }).with({ ...error.headers })
}

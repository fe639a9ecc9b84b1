import { Type } from 'typebox'
import { requireAccount } from '../../accounts/refusals.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { requirePrecondition } from '../../platform/wire/etag.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { type ArtifactId, versionOf } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { ArtifactRepresentation, representArtifact } from '../reading/represent-artifact.ts'
import { changeArtifact } from '../update-artifact.ts'
import { reportVersion } from '../writing/report.ts'
import { readableLinkField } from './link-field.ts'

const Link = Type.Object(
  {
    id: Type.Unknown({ description: 'The artifact at the other end.' }),
    type: Type.Optional(Type.Unknown({ description: 'Always there; empty: without a type.' })),
    direction: Type.Optional(Type.Unknown({ description: '`forward`, which need not be said, or `reverse`.' })),
  },
  { additionalProperties: Type.Unknown() },
)

export const setLinks = writeRoute({
  method: 'PUT',
  path: '/artifacts/:id/links',
  operationId: 'setLinks',
  summary: 'Replace the links of an artifact, in both directions.',
  access: 'signed_in',
  action: null,
  singleStatement: true,
  versioned: 'dated',
  params: { id: idParam<ArtifactId>('The artifact.') },
  body: Type.Object({ all_links: Type.Array(Link) }),
  answer: ArtifactRepresentation,
  async handle({ context, viewer, language, params, body, headers }, work) {
    requireAccount(viewer)
    const author = { context, viewer, language, db: work.db, now: context.clock.now() }
    const found = await findArtifact(context, work.db, viewer, params.id)
    const field = readableLinkField(found.sight)
    if (!field) {
      requirePrecondition(headers, versionOf(found.artifact))
      throw new ApiError('value_not_allowed', { cause: 'link_field_missing', path: 'all_links' })
    }
    const all_links = body.all_links.map((link) => ({ direction: 'forward', ...link }))
    const values = [{ field_id: field.id, all_links }]
    const changing = changeArtifact(work, author, params.id, { values }, headers)
    const { before, after, draft } = await changing.catch((error: unknown) => {
      throw error instanceof ApiError ? asSent(error) : error
    })
    if (work.isDryRun) await reportVersion(work, author, before, after, draft)
    const answer = await representArtifact(author, after, { values: 'collection' })
    return { body: answer, version: versionOf(after.artifact) }
  },
})

/** The client sent no `values`: a refusal names the place in what he did send. */
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

import { hiddenError } from '../../accounts/auth-errors.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import type { ArtifactId, ChangesetId } from '../artifact.ts'
import { findVersions } from './find-versions.ts'
import { diff } from './list-changesets.ts'
import { Changeset, representChangesets } from './represent-changesets.ts'

export const getChangeset = readRoute({
  method: 'GET',
  path: '/artifacts/:id/changesets/:changeset_id',
  operationId: 'getChangeset',
  summary: 'Show one version of an artifact.',
  description:
    'Shows the values after one version, and its comment. Everyone who may see the artifact. Versions of other artifacts are 404.',
  access: 'everyone',
  params: {
    id: idParam<ArtifactId>('The artifact.'),
    changeset_id: idParam<ChangesetId>('The `id` of the version, not its number.'),
  },
  query: { diff },
  answer: Changeset,
  async handle({ context, viewer, language, params, query }) {
    const audience = { context, db: context.db, viewer, language }
    const { now, rows } = await findVersions(audience, params.id, {
      id: params.changeset_id,
      commentsOnly: false,
      order: 'asc',
      page: ONE,
    })
    const [body] = await representChangesets(audience, now, rows, { values: true, diff: query.diff === true })
    if (!body) throw hiddenError(viewer)
    return { body }
  },
})

const ONE = { limit: 1, offset: 0, after: undefined }

import { Type } from 'typebox'
import { idParam, readRoute } from '../platform/http/route.ts'
import type { RouteCall } from '../platform/http/route-call.ts'
import { retryOnConflict } from '../platform/operation/retry-on-conflict.ts'
import { formStateOf } from '../trackers/workflow/frozen-fields.ts'
import { inStateOf, representTracker } from '../trackers/represent-tracker.ts'
import { type ArtifactId, artifactVersion } from './artifact.ts'
import { findPastArtifact, readWhen } from './history/find-past-artifact.ts'
import { cacheRepresentation } from './reading/cached-representation.ts'
import { findArtifact } from './reading/find-artifact.ts'
import { ArtifactRepresentation, represent, representArtifact, withResources } from './reading/represent-artifact.ts'

export const valuesFormat = Type.Optional(
  Type.Enum(['collection', 'by_field', 'all'], { description: 'The form of values; a list by default.' }),
)
const byFieldTypes = Type.Optional(
  Type.Enum(['alphanumeric', 'all'], { description: 'Which types `values_by_field` lists.' }),
)

export const getArtifact = readRoute({
  method: 'GET',
  path: '/artifacts/:id',
  operationId: 'getArtifact',
  summary: 'Show an artifact in its current or a past state.',
  description:
    'Shows values, people, links and state; `at` and `version` show a past state. Everyone who may see the artifact; fields that the caller may not read are absent. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<ArtifactId>('The artifact.') },
  query: {
    values_format: valuesFormat,
    by_field_types: byFieldTypes,
    tracker_structure_format: Type.Optional(Type.Enum(['minimal', 'complete', 'state'])),
    version: Type.Optional(Type.Integer({ description: 'The number of a version, from 1.' })),
    at: Type.Optional(Type.String({ description: 'An instant; a day means its end.' })),
  },
  versioned: 'dated',
  confirmsSignIn: true,
  formats: { sparse: true },
  answer: ArtifactRepresentation,
  async handle(call) {
    const { query } = call
    const isUsual = (query.tracker_structure_format ?? 'minimal') === 'minimal' && query.version === undefined
    const form = `${query.values_format ?? 'collection'} ${query.by_field_types ?? 'alphanumeric'}`
    // Sparse responses, past states and structures are made anew.
    if (!isUsual || query.at !== undefined || call.cut) return (await showArtifact(call)).reply
    return cacheRepresentation(call, form, () => showArtifact(call))
  },
})

interface ShownQuery {
  readonly values_format?: 'collection' | 'by_field' | 'all'
  readonly by_field_types?: 'alphanumeric' | 'all'
  readonly tracker_structure_format?: 'minimal' | 'complete' | 'state'
  readonly version?: number
  readonly at?: string
}

type ShowCall = Pick<
  RouteCall<{ id: ArtifactId }, ShownQuery, unknown>,
  'context' | 'viewer' | 'language' | 'params' | 'query' | 'recalled'
>

async function showArtifact({ context, viewer, language, params, query, recalled }: ShowCall) {
  const { db } = context
  const audience = { context, db, viewer, language }
  const when = readWhen(audience, query)
  const { now, past } = await retryOnConflict(async () => {
    const seen = await findArtifact(context, db, viewer, params.id, recalled)
    if (!when) return { now: seen, past: undefined }
    const then = await findPastArtifact(audience, seen, when)
    return then && { now: seen, past: then }
  })
  const found = past?.found ?? now
  const { access, artifact } = found
  const form = { values: query.values_format ?? 'collection', everyType: query.by_field_types === 'all' } as const
  const body = past
    ? withResources(audience, represent(audience, found, form, past.reading))
    : await representArtifact(audience, found, form)
  const state = () => formStateOf(access, artifact.field_values)
  const trackers = {
    minimal: () => body.tracker,
    complete: () => representTracker(context, db, access, language, state()),
    state: () => inStateOf(access, state()),
  }
  const tracker = await trackers[query.tracker_structure_format ?? 'minimal']()
  const reply = {
    body: { ...body, tracker, ...past?.versionInfo },
    version: artifactVersion(artifact),
    fieldNames: access.readable,
  }
  return { found, reply }
}

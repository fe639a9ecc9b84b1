import { Type } from 'typebox'
import { idParam, readRoute } from '../platform/http/route.ts'
import { formStateOf } from '../trackers/workflow/frozen-fields.ts'
import { inStateOf, representTracker } from '../trackers/represent-tracker.ts'
import { type ArtifactId, versionOf } from './artifact.ts'
import { findPastArtifact, readWhen } from './history/find-past-artifact.ts'
import { findArtifact } from './reading/find-artifact.ts'
import { ArtifactRepresentation, represent, representArtifact } from './reading/represent-artifact.ts'

export const valuesFormat = Type.Optional(
  Type.Enum(['collection', 'by_field', 'all'], { description: 'How values are answered; a list by default.' }),
)
const byFieldTypes = Type.Optional(
  Type.Enum(['alphanumeric', 'all'], { description: 'Which types `values_by_field` lists.' }),
)

export const getArtifact = readRoute({
  method: 'GET',
  path: '/artifacts/:id',
  operationId: 'getArtifact',
  summary: 'Show an artifact, now or as it was.',
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
  sparse: true,
  answer: ArtifactRepresentation,
  async handle({ context, viewer, language, params, query }) {
    const { db } = context
    const audience = { context, db, viewer, language }
    const when = readWhen(audience, query)
    const now = await findArtifact(context, db, viewer, params.id)
    const past = when && (await findPastArtifact(audience, now, when))
    const found = past?.found ?? now
    const { sight, artifact } = found
    const form = { values: query.values_format ?? 'collection', everyType: query.by_field_types === 'all' } as const
    const body = past ? represent(audience, found, form, past.reading) : await representArtifact(audience, found, form)
    const state = () => formStateOf(sight.tracker, artifact.field_values)
    const trackers = {
      minimal: () => body.tracker,
      complete: () => representTracker(context, db, sight, language, state()),
      state: () => inStateOf(sight, state()),
    }
    const tracker = await trackers[query.tracker_structure_format ?? 'minimal']()
    return {
      body: { ...body, tracker, ...past?.told },
      version: versionOf(artifact),
      fieldNames: sight.readable,
    }
  },
})

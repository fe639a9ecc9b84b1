import { Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { everyLinkType } from '../../trackers/link-types/link-type.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import type { LinkRow } from '../reading/look-rows.ts'
import { readableLinkField } from './link-field.ts'

export const listLinkNatures = readRoute({
  method: 'GET',
  path: '/artifacts/:id/links',
  operationId: 'listLinkNatures',
  summary: 'List the link types of an artifact, with the address of each list of links.',
  description:
    'Lists the types of links that the artifact has, in both directions. Everyone who may see the artifact. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<ArtifactId>('The artifact.') },
  answer: Type.Object({
    natures: Type.Array(
      Type.Object({
        shortname: Type.String({ description: 'Empty for links without a type.' }),
        direction: Type.Enum(['forward', 'reverse']),
        label: Type.String(),
        uri: Type.String(),
      }),
    ),
  }),
  async handle({ context, viewer, params }) {
    const { access, forward, reverse } = await findArtifact(context, context.db, viewer, params.id)
    if (!readableLinkField(access)) return { body: { natures: [] } }
    const types = await everyLinkType(context.db)
    const naturesOf = (links: readonly LinkRow[], direction: 'forward' | 'reverse') =>
      types
        .filter(({ shortname }) => links.some(({ type }) => type === shortname))
        .map(({ shortname, forward_label, reverse_label }) => ({
          shortname,
          direction,
          label: direction === 'forward' ? forward_label : reverse_label,
          uri: `artifacts/${params.id}/linked_artifacts?nature=${shortname}&direction=${direction}`,
        }))
    return { body: { natures: [...naturesOf(forward, 'forward'), ...naturesOf(reverse, 'reverse')] } }
  },
})

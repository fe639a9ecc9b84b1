import { readRoute } from '../../platform/http/route.ts'
import { findLinkTypes, requireLinkType } from './find-link-type.ts'
import { LinkTypeAnswer, linkTypeParam, representLinkType } from './represent-link-type.ts'

export const getLinkType = readRoute({
  method: 'GET',
  path: '/link_types/:name',
  operationId: 'getLinkType',
  summary: 'Show a link type.',
  description: 'Shows the name and the labels of a type of link. Everyone. An unknown name is 404.',
  access: 'everyone',
  params: { name: linkTypeParam },
  answer: LinkTypeAnswer,
  async handle({ context: { db }, params: { name } }) {
    return { body: representLinkType(requireLinkType(await findLinkTypes(db), name)) }
  },
})

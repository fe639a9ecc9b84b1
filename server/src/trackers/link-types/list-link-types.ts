import { Type } from 'typebox'
import { readRoute } from '../../platform/http/route.ts'
import { findLinkTypes } from './find-link-type.ts'
import { cutLinkTypes, LINK_TYPE_PAGES, LinkTypeAnswer, representLinkType } from './represent-link-type.ts'

export const listLinkTypes = readRoute({
  method: 'GET',
  path: '/link_types',
  operationId: 'listLinkTypes',
  summary: 'List the link types of the platform.',
  description:
    'Lists the types that links between artifacts can have. Everyone. Types that are reserved for the platform are marked.',
  access: 'everyone',
  pages: LINK_TYPE_PAGES,
  answer: Type.Array(LinkTypeAnswer),
  async handle({ context: { db }, page }) {
    const { rows, size, next, placeAt } = cutLinkTypes(await findLinkTypes(db), page)
    return { body: rows.map(representLinkType), size, next, placeAt }
  },
})

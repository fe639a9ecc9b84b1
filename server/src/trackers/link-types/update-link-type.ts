import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireSiteAdmin } from '../../accounts/auth-errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { requireOneLine } from './create-link-type.ts'
import { lockLinkType, requireOwnLinkType } from './find-link-type.ts'
import { LinkTypeAnswer, LinkTypeLabel, linkTypeParam, representLinkType } from './represent-link-type.ts'

export const updateLinkType = writeRoute({
  method: 'PATCH',
  path: '/link_types/:name',
  operationId: 'updateLinkType',
  summary: 'Rename a link type: change its labels. Its links are kept.',
  description:
    'Changes the labels of a type in both directions; its name stays, because links and queries use it. Site administrators. A type of the platform is refused; others get 403.',
  access: 'signed_in',
  action: 'link_type.update',
  params: { name: linkTypeParam },
  body: Type.Object({
    forward_label: Type.Optional(LinkTypeLabel),
    reverse_label: Type.Optional(LinkTypeLabel),
  }),
  answer: LinkTypeAnswer,
  async handle({ viewer, params: { name }, body: { forward_label, reverse_label } }, work) {
    requireSiteAdmin(viewer)
    const type = await lockLinkType(work.tx, name, 'change')
    requireOwnLinkType(type)
    requireOneLine({ forward_label, reverse_label })
    const before = { forward_label: type.forward_label, reverse_label: type.reverse_label }
    const after = {
      forward_label: forward_label ?? before.forward_label,
      reverse_label: reverse_label ?? before.reverse_label,
    }
    if (before.forward_label !== after.forward_label || before.reverse_label !== after.reverse_label) {
      await sql`
        update link_type set forward_label = ${after.forward_label}, reverse_label = ${after.reverse_label}
        where shortname = ${name}`.execute(work.tx)
      await work.change({ object: `link_types/${name}`, op: 'update', before, after })
    }
    return { body: representLinkType({ ...type, ...after }) }
  },
})

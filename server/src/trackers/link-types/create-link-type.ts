import { Type } from 'typebox'
import { requireSiteAdmin } from '../../accounts/auth-errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { LinkTypeAnswer, LinkTypeLabel, representLinkType } from './represent-link-type.ts'

/** A leading `_` is reserved for the platform. */
const NAME = /^[a-z][a-z_]*$/
// The same limit as for names in definitions, which may refer to it.
const MAX_NAME_LENGTH = 255

export const createLinkType = writeRoute({
  method: 'POST',
  path: '/link_types',
  operationId: 'createLinkType',
  summary: 'Create a link type for all projects, as a site administrator.',
  description:
    'Adds a type of link that every project can use. Site administrators. A name that exists or is malformed is 400; others get 403.',
  access: 'signed_in',
  action: 'link_type.create',
  body: Type.Object({
    shortname: Type.String({
      maxLength: MAX_NAME_LENGTH,
      description: 'Letters a to z and `_`, beginning with a letter. It never changes: links and queries use it.',
    }),
    forward_label: LinkTypeLabel,
    reverse_label: LinkTypeLabel,
  }),
  answer: LinkTypeAnswer,
  status: 201,
  async handle({ viewer, body: { shortname, forward_label, reverse_label } }, work) {
    requireSiteAdmin(viewer)
    if (!NAME.test(shortname)) throw new ApiError('name_invalid', { path: 'shortname', rule: 'pattern' })
    requireOneLine({ forward_label, reverse_label })
    const labels = { shortname, forward_label, reverse_label }
    const made = await work.tx
      .insertInto('link_type')
      .values(labels)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['shortname', 'forward_label', 'reverse_label', 'is_system', 'is_reserved'])
      .executeTakeFirst()
    if (!made) throw new ApiError('name_taken', { path: 'shortname', rule: 'unique' })
    const uri = `link_types/${shortname}`
    await work.change({ object: 'link_types', made: uri, op: 'create', after: labels })
    return { body: representLinkType(made), location: uri }
  },
})

/** Labels are shown in menus and mails. */
export function requireOneLine(labels: Readonly<Record<string, string | undefined>>): void {
  for (const [path, label] of Object.entries(labels))
    if (label !== undefined && /\p{Cc}/u.test(label))
      throw new ApiError('parameter_invalid', { path, rule: 'pattern', cause: 'line_break' })
}

import { hiddenError } from '../../accounts/auth-errors.ts'
import { parseId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { WebPage } from '../../platform/http/web-page.ts'
import { findProject } from '../find-project.ts'
import { type ProjectId, MAX_RESERVED_ID } from '../project.ts'
import { findOwnKind } from './own-keywords.ts'
import { referenceArguments } from './parse-references.ts'
import { fillLink, findReferenceKind } from './reference-kind.ts'

const VALUE = /^(?:[\w&.-]+\/)*[\w&]+$/

const MAX_VALUE_LENGTH = 255

/** Redirects a reference to its page, which checks the permission to read it. */
export const gotoPage: WebPage = {
  path: '/goto',
  async open({ context, viewer, query }) {
    const keyword = requireParameter(query, 'key').toLowerCase()
    const value = requireParameter(query, 'val')
    const group = query.get('group_id')
    const id = group === undefined ? undefined : parseId<ProjectId>(group, 'group_id')
    // The default template provides keywords to all projects and cannot be entered.
    const project =
      id === undefined || id === MAX_RESERVED_ID
        ? { id: MAX_RESERVED_ID, shortname: 'template' }
        : await findProject(context.db, viewer, id)
    const args = referenceArguments({ value })
    if (value.length > MAX_VALUE_LENGTH || !VALUE.test(value)) throw hiddenError(viewer)
    const own = args.length === 1 ? await findOwnKind(context, viewer, project, keyword) : undefined
    const kind = own ?? findReferenceKind(context.referenceKinds, keyword, args.length)
    if (!kind) throw hiddenError(viewer)
    return { leadsTo: fillLink(kind, { keyword, args, project }) }
  },
}

function requireParameter(query: ReadonlyMap<string, string>, name: string): string {
  const value = query.get(name)
  if (value === undefined) throw new ApiError('parameter_required', { path: name, rule: 'required' })
  return value
}

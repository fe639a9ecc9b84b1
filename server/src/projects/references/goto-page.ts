import { hiddenFrom } from '../../accounts/refusals.ts'
import { parseId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { WebPage } from '../../platform/http/web-page.ts'
import { findProject } from '../find-project.ts'
import { type ProjectId, RESERVED } from '../project.ts'
import { findOwnKind } from './own-keywords.ts'
import { argumentsOf } from './parse-references.ts'
import { fillLink, kindOf } from './reference-kind.ts'

const VALUE = /^(?:[\w&.-]+\/)*[\w&]+$/

const LONGEST = 255

/** Leads from a reference to its page. That page decides who may read what it shows. */
export const gotoPage: WebPage = {
  path: '/goto',
  async open({ context, viewer, query }) {
    const keyword = required(query, 'key').toLowerCase()
    const value = required(query, 'val')
    const group = query.get('group_id')
    const id = group === undefined ? undefined : parseId<ProjectId>(group, 'group_id')
    // The default template lends its keywords to all; nobody enters it.
    const project =
      id === undefined || id === RESERVED
        ? { id: RESERVED, shortname: 'template' }
        : await findProject(context.db, viewer, id)
    const args = argumentsOf({ value })
    if (value.length > LONGEST || !VALUE.test(value)) throw hiddenFrom(viewer)
    const own = args.length === 1 ? await findOwnKind(context, viewer, project, keyword) : undefined
    const kind = own ?? kindOf(context.referenceKinds, keyword, args.length)
    if (!kind) throw hiddenFrom(viewer)
    return { leadsTo: fillLink(kind, { keyword, args, project }) }
  },
}

function required(query: ReadonlyMap<string, string>, name: string): string {
  const value = query.get(name)
  if (value === undefined) throw new ApiError('parameter_required', { path: name, rule: 'required' })
  return value
}

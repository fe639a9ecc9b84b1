import { findLogins, findUsersBy } from '../../accounts/users/find-users-by.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { findReferences } from '../../projects/references/find-references.ts'
import { gotoPath } from '../../projects/references/goto-path.ts'
import type { FoundProject } from '../../projects/find-project.ts'
import type { OpenRepository } from './open-repository.ts'
import type { VisibleRevision } from './engine/read-log.ts'
import type { Revision } from './schemas.ts'

const MAX_PATHS = 1000

export async function representRevisions(
  context: Context,
  viewer: Viewer,
  { id, project }: Pick<OpenRepository, 'id' | 'project'>,
  seen: readonly VisibleRevision[],
): Promise<Revision[]> {
  const [authors, references] = [
    await findAuthors(context, viewer, seen),
    await findAllReferences(context, viewer, project, seen),
  ]
  return seen.map(({ revision, author, date, message, paths, access }, at) => {
    const uri = `svn/${id}/revisions/${revision}`
    if (access === 'none') return { ...HIDDEN_REVISION, revision, uri }
    return {
      revision,
      uri,
      author: authors.get(author ?? '') ?? null,
      author_name: author,
      date: date && apiDate(date),
      message,
      references: references[at] ?? [],
      paths: paths.slice(0, MAX_PATHS),
      paths_hidden: access === 'some',
      paths_truncated: paths.length > MAX_PATHS,
    }
  })
}

const HIDDEN_REVISION = {
  author: null,
  author_name: null,
  date: null,
  message: null,
  references: null,
  paths: null,
  paths_hidden: null,
  paths_truncated: null,
}

/** Accounts by the author logins of revisions. */
async function findAuthors(context: Context, viewer: Viewer, seen: readonly VisibleRevision[]) {
  const names = [...new Set(seen.flatMap(({ author }) => author ?? []))]
  const found = await findUsersBy(context, context.db, viewer, 'username', names)
  const logins = await findLogins(
    context.db,
    found.map(({ id }) => id),
  )
  return new Map(found.map(({ name, id }) => [name, { id, username: logins.get(id) ?? name }]))
}

/** A reference cannot span two line breaks, so none extends from one message into the next. */
const MESSAGE_SEPARATOR = '\n\n'
/** The reference parser skips a text with such a run; drop that message so that the others keep their links. */
const ENDLESS_RUN = /\S{5000}/

/** Joins all messages into one text, so that one statement resolves their references. */
async function findAllReferences(
  context: Context,
  viewer: Viewer,
  project: FoundProject,
  seen: readonly VisibleRevision[],
) {
  const texts = seen.map(({ message }) => (message === null || ENDLESS_RUN.test(message) ? '' : message))
  const found = await findReferences(context, viewer, project, texts.join(MESSAGE_SEPARATOR))
  let end = -MESSAGE_SEPARATOR.length
  return texts.map((text) => {
    const begin = end + MESSAGE_SEPARATOR.length
    end = begin + text.length
    return found
      .filter(({ at }) => at >= begin && at < end)
      .map(({ text: ref, keyword, value, project_id }) => ({
        ref,
        url: new URL(gotoPath(keyword, value, project_id), context.config.WAYPOST_PUBLIC_URL).href,
      }))
  })
}

import { findLogins, findUsersBy } from '../../accounts/users/find-users-by.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { findReferences } from '../../projects/references/find-references.ts'
import { gotoPath } from '../../projects/references/goto-path.ts'
import type { FoundProject } from '../../projects/find-project.ts'
import type { Seen } from './engine/read-log.ts'
import type { Revision } from './schemas.ts'

const MOST_PATHS = 1000

export async function representRevisions(
  context: Context,
  viewer: Viewer,
  project: FoundProject,
  seen: readonly Seen[],
): Promise<Revision[]> {
  const [authors, references] = [
    await findAuthors(context, viewer, seen),
    await findAllReferences(context, viewer, project, seen),
  ]
  return seen.map(({ revision, author, date, message, paths, sight }, at) => {
    if (sight === 'none') return { ...NOTHING, revision }
    return {
      revision,
      author: authors.get(author ?? '') ?? null,
      author_name: author,
      date: date && apiDate(date),
      message,
      references: references[at] ?? [],
      paths: paths.slice(0, MOST_PATHS),
      paths_hidden: sight === 'some',
      paths_truncated: paths.length > MOST_PATHS,
    }
  })
}

const NOTHING = {
  author: null,
  author_name: null,
  date: null,
  message: null,
  references: null,
  paths: null,
  paths_hidden: null,
  paths_truncated: null,
}

/** People by the names that revisions give them. */
async function findAuthors(context: Context, viewer: Viewer, seen: readonly Seen[]) {
  const names = [...new Set(seen.flatMap(({ author }) => author ?? []))]
  const found = await findUsersBy(context, context.db, viewer, 'username', names)
  const logins = await findLogins(
    context.db,
    found.map(({ id }) => id),
  )
  return new Map(found.map(({ name, id }) => [name, { id, username: logins.get(id) ?? name }]))
}

/** Two line breaks belong to no reference, so that none begins in one message and ends in the next. */
const BETWEEN = '\n\n'
/** In a text with such a run nothing is looked for; it must not hide what the others refer to. */
const ENDLESS_RUN = /\S{5000}/

/** All messages are read as one text: one statement looks up what they refer to. */
async function findAllReferences(context: Context, viewer: Viewer, project: FoundProject, seen: readonly Seen[]) {
  const texts = seen.map(({ message }) => (message === null || ENDLESS_RUN.test(message) ? '' : message))
  const found = await findReferences(context, viewer, project, texts.join(BETWEEN))
  let end = -BETWEEN.length
  return texts.map((text) => {
    const begin = end + BETWEEN.length
    end = begin + text.length
    return found
      .filter(({ at }) => at >= begin && at < end)
      .map(({ text: ref, keyword, value, project_id }) => ({
        ref,
        url: new URL(gotoPath(keyword, value, project_id), context.config.WAYPOST_PUBLIC_URL).href,
      }))
  })
}

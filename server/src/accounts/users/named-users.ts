import type { NamedObjects } from '../../platform/http/resolve-name.ts'
import { findLogin } from './find-login.ts'

/** `/users/@mara`, by login. */
export const namedUsers: NamedObjects = {
  collection: 'users',
  findId: (context, viewer, login) => findLogin(context, context.db, viewer, login),
}

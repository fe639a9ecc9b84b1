import { sql } from 'kysely'
import { escapeHtml } from '../../platform/wire/html.ts'
import type { WebPage } from '../../platform/http/web-page.ts'
import { fold } from '../login.ts'
import { hiddenError, requireAccount } from '../auth-errors.ts'
import { representUserMinimal, type UserRow, userColumns } from './user.ts'
import { maySee } from './visibility.ts'

/** The target of `user_url`. Anonymous viewers see users by id only, so that logins cannot be enumerated. */
export const userPage: WebPage = {
  path: '/users/:login',
  async open({ context, viewer, language, params }) {
    requireAccount(viewer)
    const { rows } = await sql<UserRow>`
      select ${userColumns} from account
      where account.login = ${fold(params['login'] ?? '')} and ${maySee(context, viewer)}`.execute(context.db)
    const [row] = rows
    if (!row) throw hiddenError(viewer)
    const { display_name } = representUserMinimal(context, row)
    const name = escapeHtml(display_name)
    return {
      type: 'text/html; charset=utf-8',
      content: `<!doctype html><html lang="${escapeHtml(language.tag)}"><meta charset="utf-8"><title>${name}</title><h1>${name}</h1></html>\n`,
    }
  },
}

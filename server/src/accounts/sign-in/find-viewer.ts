import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { refusalOf, type ViewerRow, viewerOf } from '../account.ts'
import { fold } from '../login.ts'
import { viewerColumns } from './viewer-columns.ts'

/** The account of this login as the one that acts, for commands of the server's own shell. */
export async function findViewer({ db }: Context, login: string): Promise<Viewer> {
  const { rows } = await sql<ViewerRow>`select ${viewerColumns} from account where login = ${fold(login)}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`There is no account ${login}.`)
  return viewerOf(row, { kind: 'command_line', id: null })
}

/** The account as one that has signed in elsewhere; undefined: it could not, now. */
export async function findUsableViewer({ db, clock }: Context, id: AccountId): Promise<Viewer | undefined> {
  const { rows } = await sql<ViewerRow>`select ${viewerColumns} from account where id = ${id}`.execute(db)
  const [row] = rows
  return row && !refusalOf(row, clock.now()) ? viewerOf(row, { kind: 'session', id: null }) : undefined
}

/** The account of this login as the one that has made a commit; undefined: nobody has it. */
export async function findCommitter({ db }: Pick<Context, 'db'>, login: string): Promise<Viewer | undefined> {
  const { rows } = await sql<ViewerRow>`select ${viewerColumns} from account where login = ${fold(login)}`.execute(db)
  const [row] = rows
  return row && viewerOf(row, { kind: 'svn', id: null })
}

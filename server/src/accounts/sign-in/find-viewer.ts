import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { accountError, type ViewerRow, toViewer } from '../account.ts'
import { fold } from '../login.ts'
import { viewerColumns } from './viewer-columns.ts'

/** The account of this login as viewer, for commands of the server's shell. */
export async function findViewer({ db }: Context, login: string): Promise<Viewer> {
  const { rows } = await sql<ViewerRow>`select ${viewerColumns} from account where login = ${fold(login)}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`There is no account ${login}.`)
  return toViewer(row, { kind: 'command_line', id: null })
}

/** The account as viewer for background work; undefined if it could not sign in now. */
export async function findUsableViewer({ db, clock }: Context, id: AccountId): Promise<Viewer | undefined> {
  const { rows } = await sql<ViewerRow>`select ${viewerColumns} from account where id = ${id}`.execute(db)
  const [row] = rows
  return row && !accountError(row, clock.now()) ? toViewer(row, { kind: 'session', id: null }) : undefined
}

/** The account of this login as the author of a commit; undefined if unknown. */
export async function findCommitter({ db }: Pick<Context, 'db'>, login: string): Promise<Viewer | undefined> {
  const { rows } = await sql<ViewerRow>`select ${viewerColumns} from account where login = ${fold(login)}`.execute(db)
  const [row] = rows
  return row && toViewer(row, { kind: 'svn', id: null })
}

import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { type ViewerRow, viewerOf } from '../account.ts'
import { fold } from '../login.ts'
import { viewerColumns } from './viewer-columns.ts'

/** The account of this login as the one that acts, for commands of the server's own shell. */
export async function findViewer({ db }: Context, login: string): Promise<Viewer> {
  const { rows } = await sql<ViewerRow>`select ${viewerColumns} from account where login = ${fold(login)}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`There is no account ${login}.`)
  return viewerOf(row, { kind: 'command_line', id: null })
}

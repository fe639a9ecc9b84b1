import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import type { ResourceVersion } from '../../platform/wire/etag.ts'
import { identityNameParam } from '../identity/identity-name.ts'
import { type DirectoryAnswer, type DirectorySettings, emptyCounts, type SyncCounts } from './directory-settings.ts'

/** A row of `directory`. */
export interface Directory {
  readonly name: string
  readonly settings: DirectorySettings
  /** Encrypted. */
  readonly secret: Buffer | null
  readonly version: number
}

interface ListedDirectory extends Directory {
  readonly started_on: Date | null
  readonly ended_on: Date | null
  readonly error: string | null
  readonly counts: SyncCounts | null
}

export const directoryParam = identityNameParam('The name of the directory.')

const COLUMNS = ['name', 'settings', 'secret', 'version'] as const

export async function loadDirectories(db: Db | Tx): Promise<Directory[]> {
  return db.selectFrom('directory').select(COLUMNS).orderBy('name').execute()
}

export async function findDirectory(db: Db | Tx, name: string): Promise<Directory | undefined> {
  return db.selectFrom('directory').select(COLUMNS).where('name', '=', name).executeTakeFirst()
}

/** With the last run of the sync. */
export async function listDirectoryRows(db: Db | Tx, name?: string): Promise<ListedDirectory[]> {
  const { rows } = await sql<ListedDirectory>`
    select directory.name, directory.settings, directory.secret, directory.version,
      sync.started_on, sync.ended_on, sync.error, sync.counts
    from directory left join directory_sync sync on sync.directory = directory.name
    where ${name === undefined ? sql`true` : sql`directory.name = ${name}`} order by directory.name`.execute(db)
  return rows
}

/** Locks the row, so that changes do not overwrite each other. */
export async function lockDirectory(tx: Tx, name: string): Promise<Directory> {
  const query = tx.selectFrom('directory').select(COLUMNS).where('name', '=', name)
  const found = await query.forUpdate().executeTakeFirst()
  if (!found) throw new ApiError('not_found')
  return found
}

export function directoryVersion({ name, version }: Pick<Directory, 'name' | 'version'>): ResourceVersion {
  return { kind: 'directory', id: name, version }
}

export async function representDirectory(db: Db | Tx, name: string): Promise<Static<typeof DirectoryAnswer>> {
  const [row] = await listDirectoryRows(db, name)
  if (!row) throw new ApiError('not_found')
  return representDirectoryRow(row)
}

export function representDirectoryRow(row: ListedDirectory): Static<typeof DirectoryAnswer> {
  const { name, settings, secret, started_on, ended_on, error, counts } = row
  return {
    name,
    uri: `directories/${name}`,
    ...settings,
    bind_password_file: settings.bind_password_file ?? null,
    has_bind_password: secret !== null,
    last_sync:
      started_on === null || counts === null
        ? null
        : {
            started_on: apiDate(started_on),
            ended_on: ended_on && apiDate(ended_on),
            error,
            counts: { ...emptyCounts(), ...counts },
          },
  }
}

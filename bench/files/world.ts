import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../server/src/platform/database/db.ts'
import {
  APP_ROLE,
  createRolesAndDatabase,
  type LocalPostgres,
  startPostgres,
} from '../../server/src/platform/database/local-postgres.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { makeArtifact, makeTracker } from '../../server/test/every-field.ts'
import { MARA } from '../../server/test/people.ts'
import { seed } from '../../server/test/seed.ts'
import { freePort, type ServerProcess, startServerProcess } from '../../server/test/server-process.ts'

/** A durable database and a folder of files, whose servers come and go on one port. */
export interface FilesWorld {
  readonly folder: string
  readonly files: string
  readonly database: LocalPostgres
  readonly port: number
  start(more?: Record<string, string>): Promise<ServerProcess>
  stop(): Promise<void>
}

export async function openFilesWorld(folder: string): Promise<FilesWorld> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711) // PostgreSQL may run as another user, who has to pass.
  const database = await startPostgres({ data: join(folder, 'data'), socket: join(folder, 'socket'), durable: true })
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: database.host, database: 'files' })
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  const owner = openDatabase({ connectionString: ownerUrl, max: 1 })
  await seed(owner)
  await owner.destroy()
  const files = join(folder, 'files')
  const port = await freePort()
  return {
    folder,
    files,
    database,
    port,
    start: (more = {}) =>
      startServerProcess({
        WAYPOST_ENVIRONMENT: 'production',
        WAYPOST_DATABASE_URL: appUrl,
        WAYPOST_FILES: files,
        WAYPOST_PORT: String(port),
        WAYPOST_LOG_LEVEL: 'error',
        ...more,
      }),
    stop: () => database.stop(),
  }
}

/** A tracker that takes files. */
export interface Shelf {
  announce(name: string, file_size: number): Promise<{ id: number; upload: string }>
  /** To one artifact, all of them. */
  attach(ids: readonly number[]): Promise<void>
}

export async function makeShelf({ api }: ServerProcess, item_name: string): Promise<Shelf> {
  const elements = [
    { name: 'summary', type: 'string', label: 'Summary' },
    { name: 'files', type: 'file', label: 'Files' },
  ]
  const tracker = await makeTracker(api, {
    format: 'waypost-tracker/1',
    label: item_name,
    item_name,
    permissions: { full: ['@anonymous'] },
    elements,
  })
  return {
    async announce(name, file_size) {
      const body = { name, file_size, file_type: 'application/octet-stream' }
      const { json, status, text } = await api.post(`/tracker_fields/${tracker.field('files')}/files`, {
        as: MARA,
        body,
      })
      if (status !== 200) throw new Error(`The upload was not taken: ${text}`)
      return { id: json.id, upload: json.upload_href }
    },
    async attach(ids) {
      await makeArtifact(api, tracker, { summary: 'Files', files: { value: ids } })
    },
  }
}

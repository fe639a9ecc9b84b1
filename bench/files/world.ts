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
import { makeTestArtifact, makeTestTracker } from '../../server/test/fixtures/every-field.ts'
import { MARA } from '../../server/test/fixtures/people.ts'
import { seed } from '../../server/test/fixtures/seed.ts'
import { freePort } from '../../server/src/platform/operation/free-port.ts'
import { type ServerProcess, startServerProcess } from '../../server/test/harness/server-process.ts'

/** A durable database and a file store, with servers that restart on one port. */
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
  await chmod(folder, 0o711) // PostgreSQL may run as another user, who needs to traverse it.
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

/** A tracker with a file field. */
export interface UploadTracker {
  announce(name: string, file_size: number): Promise<{ id: number; upload: string }>
  /** Attaches all files to one artifact. */
  attach(ids: readonly number[]): Promise<void>
}

export async function makeUploadTracker({ api }: ServerProcess, item_name: string): Promise<UploadTracker> {
  const elements = [
    { name: 'summary', type: 'string', label: 'Summary' },
    { name: 'files', type: 'file', label: 'Files' },
  ]
  const tracker = await makeTestTracker(api, {
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
      await makeTestArtifact(api, tracker, { summary: 'Files', files: { value: ids } })
    },
  }
}

import { sql } from 'kysely'
import type { ArtifactId } from '../src/artifacts/artifact.ts'
import type { FileId } from '../src/files/file.ts'
import type { Db } from '../src/platform/database/db.ts'
import { toId } from '../src/platform/database/ids.ts'
import { sha256 } from '../src/platform/operation/secrets.ts'
import type { ProjectId } from '../src/projects/project.ts'
import type { TrackerDefinition } from '../src/trackers/definition/schemas.ts'
import type { TrackerId } from '../src/trackers/tracker.ts'
import { HIDDEN_CANARY, LEDGER_CANARY, VAULT_CANARY } from './canaries.ts'
import { insertArtifact, LONG_AGO } from './insert-artifact.ts'
import { PEOPLE, type Person, TOM } from './people.ts'
import {
  FOLDERS,
  LEADS,
  LEDGER_FOLDERS,
  LOST_FOLDERS,
  MARSH,
  MARSH_FOLDERS,
  OPEN_FOLDER,
  ORCHARD,
  PAPER,
  PAPERS,
  SAFE_FOLDERS,
  VAULT,
} from './places.ts'
import { insertTracker } from './seed-trackers.ts'

const FOR_ADMINS = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
const FAR_AWAY = new Date('2100-01-01T00:00:00Z')
const NO_BYTES = sha256(Buffer.alloc(0)).toString('hex')

const folders = (label: string, item_name: string, full: string): TrackerDefinition => ({
  label,
  item_name,
  permissions: { full: [full] },
  elements: [
    { name: 'title', type: 'string', label: 'Title' },
    { name: 'papers', type: 'file', label: 'Papers' },
    { name: 'secrets', type: 'file', label: `Secrets ${HIDDEN_CANARY}`, permissions: FOR_ADMINS },
    { name: 'seen_by', type: 'perm', label: 'Seen by' },
  ],
  semantics: { title: 'title' },
})

interface Attached {
  readonly file: FileId
  readonly tracker: TrackerId
  readonly artifact: number
  readonly field: number
  /** Of the file, and of the artifact. */
  readonly name: string
  readonly isGated?: true
  readonly isDeleted?: true
}

const ATTACHED: readonly Attached[] = [
  { file: PAPER.open, tracker: FOLDERS, artifact: OPEN_FOLDER, field: PAPERS.folders, name: 'plan.txt' },
  { file: PAPER.safe, tracker: SAFE_FOLDERS, artifact: 14_012, field: PAPERS.safe, name: VAULT_CANARY },
  { file: PAPER.ledger, tracker: LEDGER_FOLDERS, artifact: 14_013, field: PAPERS.ledger, name: LEDGER_CANARY },
  { file: PAPER.lost, tracker: FOLDERS, artifact: 14_014, field: PAPERS.folders, name: 'gone.txt', isDeleted: true },
  { file: PAPER.marsh, tracker: MARSH_FOLDERS, artifact: 14_015, field: PAPERS.marsh, name: 'mud.txt' },
  {
    file: PAPER.gated,
    tracker: FOLDERS,
    artifact: 14_016,
    field: PAPERS.folders,
    name: LEDGER_CANARY,
    isGated: true,
  },
]

/** Files without a byte in trackers of every right, and one of each person's own that nothing has yet. */
export async function seedFiles(db: Db): Promise<void> {
  const trackers: [TrackerId, ProjectId, TrackerDefinition][] = [
    [FOLDERS, ORCHARD, folders('Folders', 'folder', '@anonymous')],
    [SAFE_FOLDERS, VAULT, folders(VAULT_CANARY, 'folder', '@members')],
    [LEDGER_FOLDERS, ORCHARD, folders(LEDGER_CANARY, 'account', 'leads')],
    [LOST_FOLDERS, ORCHARD, folders('Lost folders', 'lost_folder', '@anonymous')],
    [MARSH_FOLDERS, MARSH, folders('Muddy folders', 'folder', '@anonymous')],
  ]
  for (const [at, [id, project_id, definition]] of trackers.entries()) {
    const deleted_on = id === LOST_FOLDERS ? LONG_AGO : null
    await insertTracker(db, { id, project_id, at: 41 + at, deleted_on }, definition, LONG_AGO)
  }
  await sql`insert into file_content (digest, size, type, stored_on)
    values (${NO_BYTES}, 0, 'application/octet-stream', ${LONG_AGO}) on conflict do nothing`.execute(db)
  for (const attached of ATTACHED) await insertAttached(db, attached)
  await insertFile(db, { id: PAPER.secret, uploader: TOM, name: HIDDEN_CANARY, expires_on: null })
  await attach(db, PAPER.secret, OPEN_FOLDER, PAPERS.secrets)
  for (const uploader of PEOPLE) {
    await insertFile(db, { id: ownFileOf(uploader), uploader, name: uploader.login, expires_on: FAR_AWAY })
    await insertFile(db, { id: expiredFileOf(uploader), uploader, name: 'late.txt', expires_on: LONG_AGO })
  }
}

/** What a person has uploaded in chunks, and nothing has yet. */
export function ownFileOf({ id }: Person): FileId {
  return toId<FileId>(17_920 + id)
}

export function expiredFileOf({ id }: Person): FileId {
  return toId<FileId>(17_940 + id)
}

async function insertAttached(db: Db, attached: Attached): Promise<void> {
  const { file, tracker, artifact, field, name, isGated, isDeleted } = attached
  const [title, secrets, seen_by] = [field - 1, field + 1, field + 2]
  const id = toId<ArtifactId>(artifact)
  const more = {
    [field]: [file],
    ...(id === OPEN_FOLDER && { [secrets]: [PAPER.secret] }),
    ...(isGated && { [seen_by]: [LEADS] }),
  }
  const restriction = isGated && { restricted_to: [LEADS] }
  await insertArtifact(db, { id, tracker, title, text: name, more, ...restriction, ...(isDeleted && { isDeleted }) })
  await insertFile(db, { id: file, uploader: TOM, name, expires_on: null })
  await attach(db, file, id, field)
}

interface NewFile {
  readonly id: FileId
  readonly uploader: Person
  readonly name: string
  readonly expires_on: Date | null
}

async function insertFile(db: Db, { id, uploader, name, expires_on }: NewFile): Promise<void> {
  const isAttached = expires_on === null
  await sql`insert into file (id, uploader_id, name, media_type, size, chunks, digest, is_attached, created_on, expires_on)
    values (${id}, ${uploader.id}, ${name}, 'text/plain', 0, 1, ${isAttached ? NO_BYTES : null}, ${isAttached},
      ${LONG_AGO}, ${expires_on})`.execute(db)
}

async function attach(db: Db, file: FileId, artifact: ArtifactId, field: number): Promise<void> {
  await sql`insert into artifact_file (file_id, project_id, artifact_id, field_id)
    select ${file}, project_id, id, ${field} from artifact where id = ${artifact}`.execute(db)
  await sql`insert into value_index (project_id, field_id, value, artifact_id)
    select project_id, ${field}, ${file}, id from artifact where id = ${artifact}`.execute(db)
}

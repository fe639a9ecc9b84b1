import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import { type AccessKeyId, formatAccessKey } from '../../../src/accounts/access-keys/access-key.ts'
import type { LinkKind } from '../../../src/accounts/mails/mailed-link.ts'
import { measureZip, zipArchive } from '../../../src/artifacts/trash/archives/archive-zip.ts'
import { createDiskStore } from '../../../src/files/store/disk-store.ts'
import { type Db } from '../../../src/platform/database/db.ts'
import { toId } from '../../../src/platform/database/ids.ts'
import { sha256 } from '../../../src/platform/operation/secrets.ts'
import type { AccountId } from '../../../src/platform/http/viewer.ts'
import type { ProjectId, ProjectServiceId, UserGroupId } from '../../../src/projects/project.ts'
import { ADA, MARA, OLGA, type TestPerson, secretOf, TOM, UMA } from '../../fixtures/people.ts'
import { firstVersionOf } from '../../fixtures/insert-artifact.ts'
import { BUGS, OPEN_BUG, ORCHARD } from '../../fixtures/seed-ids.ts'
import { seedTestArtifacts } from '../../fixtures/seed-artifacts.ts'
import type { Knowledge, SpareProject } from './knowledge.ts'
import { ACTIVE } from './recipe.ts'

const SPARE_PEOPLE = 30
const PENDING_PEOPLE = 16
const PROJECTS = 10
const LINKS = 8
const JOBS = 14
const LONG_AGO = new Date('2026-01-01T00:00:00Z')
const FAR_AWAY = new Date('2099-01-01T00:00:00Z')

/**
 * Adds data to the seeded world that requests may use up: people, projects, sessions, tokens, mailed links, parked
 * jobs.
 */
export async function seedSpares(db: Db, known: Knowledge): Promise<void> {
  // Registration must be open.
  await sql`update setting set chosen = '{"registration":"open"}', version = version + 1`.execute(db)
  await addPeople(db, known)
  await addProjects(db, known)
  await addSignedIn(db, known)
  for (const kind of ['password_reset', 'email_verification', 'invitation'] as const) await addLinks(db, known, kind)
  await addJobs(db, known)
  await addExports(db)
  await seedTestArtifacts(db)
  await addComment(db)
  await addArchive(db)
  await addImport(db)
  await addLinkTypes(db, known)
}

async function addLinkTypes(db: Db, known: Knowledge): Promise<void> {
  const names = ['type_spare_a', 'type_spare_b', 'type_spare_c']
  await sql`insert into link_type (shortname, forward_label, reverse_label)
    select name, 'Fixed in', 'Fixes' from unnest(${names}::text[]) as name on conflict do nothing`.execute(db)
  known.ids.set('link_types', [...(known.ids.get('link_types') ?? []), ...names])
}

export const SPARE_IMPORT = 9901

async function addImport(db: Db): Promise<void> {
  await sql`insert into project (id, shortname, label, status, access, created_on, created_by)
    values (${SPARE_IMPORT}, 'spare-import', 'Spare import', 'importing', 'public', ${LONG_AGO}, ${MARA.id})`.execute(
    db,
  )
  await sql`insert into artifact_import (id, project_id, source, state, started_by, started_on)
    values (${SPARE_IMPORT}, ${SPARE_IMPORT}, 'old.example', 'running', ${ADA.id}, ${LONG_AGO})`.execute(db)
}

/** To the first version of the open bug, which Tom has submitted. */
async function addComment(db: Db): Promise<void> {
  await sql`update changeset set comment = 'Seen twice.', comment_format = 'commonmark'
    where id = ${firstVersionOf(OPEN_BUG)}`.execute(db)
}

export const SPARE_ARCHIVE = 9801

async function addArchive(db: Db): Promise<void> {
  const blobs = createDiskStore(tmpdir()) // Nothing is read there: it holds no files.
  const { size, sha256: digest } = await measureZip(
    zipArchive({ db, blobs }, { document: '<trackers/>', people: [], files: [] }),
  )
  await sql`
    insert into artifact_archive (id, project_id, tracker_id, artifact_id, xref, tracker_label, deleted_by, deleted_on,
      written_on, document, people, size, sha256)
    values (${SPARE_ARCHIVE}, ${ORCHARD}, ${BUGS}, 8999, 'bug #8999', 'Bugs', ${MARA.id}, '2026-02-01', '2026-02-01',
      '<trackers/>', '[]', ${size}, ${digest})`.execute(db)
}

function sparePerson(number: number): TestPerson {
  const login = `spare${number}`
  const key_id = toId<AccessKeyId>(4100 + number)
  return {
    ...OLGA,
    id: toId<AccountId>(1100 + number),
    login,
    real_name: `Spare ${number}`,
    email: `${login}@fuzz.example`,
    key_id,
    key: formatAccessKey({ prefix: 'tlp', id: key_id, secret: secretOf(key_id) }),
  }
}

async function addPeople(db: Db, known: Knowledge): Promise<void> {
  const people = Array.from({ length: SPARE_PEOPLE + PENDING_PEOPLE }, (_, at) => sparePerson(at + 1))
  const { password_hash } = await db
    .selectFrom('account')
    .select('password_hash')
    .where('id', '=', TOM.id)
    .executeTakeFirstOrThrow()
  known.spares.push(...people.slice(PENDING_PEOPLE))
  known.pending.push(...people.slice(LINKS, PENDING_PEOPLE)) // The first ones have their link already.
  await db
    .insertInto('account')
    .values(
      people.map(({ id, login, real_name, email }, at) => ({
        id,
        login,
        real_name,
        email,
        pending_email: at < PENDING_PEOPLE ? `new-${email}` : null,
        password_hash,
        created_on: LONG_AGO,
      })),
    )
    .execute()
  await db
    .insertInto('access_key')
    .values(
      people.map(({ id, key_id }) => ({
        id: key_id,
        account_id: id,
        prefix: 'tlp',
        digest: sha256(secretOf(key_id)),
        scopes: ['write:rest', 'write:account'],
        created_on: LONG_AGO,
      })),
    )
    .execute()
}

/** All are public, administered by Mara, with a banner, a service and a group. */
async function addProjects(db: Db, known: Knowledge): Promise<void> {
  const projects: SpareProject[] = Array.from({ length: PROJECTS }, (_, at) => ({
    id: 2101 + at,
    service: 5101 + at,
    group: 3101 + at,
  }))
  known.projects.push(...projects)
  known.banners.push(...projects.slice(0, -3).map(({ id }) => id)) // The others are suspended at times.
  await db
    .insertInto('project')
    .values(
      projects.map(({ id }) => ({
        id: toId<ProjectId>(id),
        shortname: `spare-${id}`,
        label: `Spare ${id}`,
        banner: 'Use me up',
        status: 'active' as const,
        access: 'public' as const,
        created_on: LONG_AGO,
        created_by: MARA.id,
      })),
    )
    .execute()
  await db
    .insertInto('project_member')
    .values(
      projects.map(({ id }) => ({
        project_id: toId<ProjectId>(id),
        account_id: MARA.id,
        is_admin: true,
        added_on: LONG_AGO,
      })),
    )
    .execute()
  await db
    .insertInto('user_group')
    .values(
      projects.map(({ id, group }) => ({
        id: toId<UserGroupId>(group),
        project_id: toId<ProjectId>(id),
        short_name: 'spare',
        created_on: LONG_AGO,
      })),
    )
    .execute()
  await db
    .insertInto('project_service')
    .values(
      projects.map(({ id, service }) => ({
        id: toId<ProjectServiceId>(service),
        project_id: toId<ProjectId>(id),
        name: 'plugin_svn',
        label: 'Subversion',
        is_enabled: true,
      })),
    )
    .execute()
}

async function addSignedIn(db: Db, known: Knowledge): Promise<void> {
  const people = [TOM, MARA, ADA, UMA].flatMap((person) => Array.from({ length: 5 }, () => person))
  const now = new Date()
  const sessions = people.map((person) => ({ person, id: randomBytes(8).toString('hex'), secret: randomBytes(32) }))
  await db
    .insertInto('session')
    .values(
      sessions.map(({ person, id, secret }) => ({
        id,
        digest: sha256(secret),
        account_id: person.id,
        created_on: now,
        last_used_on: now,
        address: null,
        agent: null,
      })),
    )
    .execute()
  for (const { person, id, secret } of sessions)
    known.sessions.push({ id, person, cookie: `__Host-waypost=${secret.toString('base64url')}` })

  const tokens = people.map((person) => ({ person, secret: randomBytes(16) }))
  await db
    .insertInto('token')
    .values(tokens.map(({ person, secret }) => ({ digest: sha256(secret), account_id: person.id, created_on: now })))
    .execute()
  for (const { person, secret } of tokens) known.tokens.push({ person, token: secret.toString('hex') })
}

async function addLinks(db: Db, known: Knowledge, kind: LinkKind): Promise<void> {
  // Using one link of a person ends the others, so each kind has its own people.
  const first = kind === 'password_reset' ? LINKS + 1 : 1
  const links = Array.from({ length: LINKS }, (_, at) => ({ secret: randomBytes(32), person: sparePerson(first + at) }))
  const made = await db
    .insertInto('mailed_link')
    .values(
      links.map(({ secret, person }, at) => ({
        digest: sha256(secret),
        kind,
        account_id: kind === 'invitation' ? null : person.id,
        email: kind === 'invitation' ? `invited-${at}@fuzz.example` : `new-${person.email}`,
        project_id: kind === 'invitation' && at % 2 === 0 ? ORCHARD : null,
        invited_by: kind === 'invitation' ? ADA.id : null,
        created_on: LONG_AGO,
        expires_on: FAR_AWAY,
      })),
    )
    .returning('id')
    .execute()
  if (kind === 'invitation')
    known.ids.set(
      'invitations',
      made.map(({ id }) => String(id)),
    )
  known.links[kind].push(...links.map(({ secret }) => secret.toString('base64url')))
}

async function addJobs(db: Db, known: Knowledge): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into job (type, state, payload, object, request_id, attempts, created_on, last_error, attempts_log)
    select 'mail', 'parked', '{}', 'users/1', 'earlier', 8, ${LONG_AGO}, 'not reachable', '[]'
    from generate_series(1, ${JOBS}) returning id`.execute(db)
  known.jobs.push(...rows.map(({ id }) => id.toString(16)))
}

async function addExports(db: Db): Promise<void> {
  const made = { requested_on: LONG_AGO, made_on: LONG_AGO, expires_on: FAR_AWAY, content: Buffer.from('a file') }
  await db
    .insertInto('export_file')
    .values(ACTIVE.map(({ id }) => ({ account_id: id, ...made })))
    .execute()
}

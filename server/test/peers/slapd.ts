import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'ldapts'
import { freePort } from '../../src/platform/operation/free-port.ts'
import { createAuthority } from './certificates.ts'
import { ACTIVE_DIRECTORY_SCHEMA } from './active-directory-schema.ts'

const run = promisify(execFile)

export const DIRECTORY_SUFFIX = 'dc=orchard,dc=example'
export const PEOPLE_BASE = `ou=people,${DIRECTORY_SUFFIX}`
export const GROUPS_BASE = `ou=groups,${DIRECTORY_SUFFIX}`
export const READER = { dn: `cn=reader,${DIRECTORY_SUFFIX}`, password: 'the password of the reader' }
const ROOT = { dn: `cn=root,${DIRECTORY_SUFFIX}`, password: 'the password of the root' }
/** Larger answers need paging, as in Active Directory. */
const SIZE_LIMIT = 1000
const START_TIMEOUT_MS = 20_000

/** A real directory server (OpenLDAP) in a process of its own. */
export interface Slapd {
  /** `ldap://127.0.0.1:…`, which also takes StartTLS. */
  readonly plain: string
  readonly secure: string
  /** The authority that has signed its certificate. */
  readonly ca: string
  /** A connection with all rights, for changes. */
  readonly admin: Client
  stop(): Promise<void>
  start(): Promise<void>
  /** Leaves it running without an answer. */
  freeze(): void
  thaw(): void
  /** Ends it for good, and removes its files. */
  close(): Promise<void>
}

interface SlapdOptions {
  /** Entries besides the suffix, the branches and the reader. */
  readonly ldif?: string
  /** The alternative names of its certificate; null: it has none, and refuses StartTLS. */
  readonly names?: string | null
}

export async function startSlapd({ ldif = '', names = 'IP:127.0.0.1' }: SlapdOptions = {}): Promise<Slapd> {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-slapd-'))
  await mkdir(join(folder, 'data'))
  const authority = await createAuthority(folder, 'authority')
  if (names !== null) await authority.issue('server', names)
  await writeFile(join(folder, 'ad.schema'), ACTIVE_DIRECTORY_SCHEMA)
  const configuration = join(folder, 'slapd.conf')
  await writeFile(configuration, configure(folder, names !== null))
  await writeFile(join(folder, 'begin.ldif'), `${BEGINNING}\n${ldif}`)
  await run('/usr/sbin/slapadd', ['-q', '-f', configuration, '-l', join(folder, 'begin.ldif')])

  const [port, securePort] = [await freePort(), await freePort()]
  const plain = `ldap://127.0.0.1:${port}`
  const secure = `ldaps://127.0.0.1:${securePort}`
  const admin = new Client({ url: plain, autoRebind: true })
  let running: ChildProcess | undefined
  const stop = async () => {
    const child = running
    if (!child || child.exitCode !== null) return
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    await once(child, 'exit')
    running = undefined
  }
  const start = async () => {
    const listeners = names === null ? plain : `${plain} ${secure}`
    running = spawn('/usr/sbin/slapd', ['-d', '0', '-f', configuration, '-h', listeners], { stdio: 'ignore' })
    await answers(port, running)
    await admin.bind(ROOT.dn, ROOT.password)
  }
  await start()
  return {
    plain,
    secure,
    ca: authority.certificate,
    admin,
    stop,
    start,
    freeze: () => void running?.kill('SIGSTOP'),
    thaw: () => void running?.kill('SIGCONT'),
    async close() {
      await admin.unbind()
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS
  for (;;) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error('slapd did not start: is it installed (npm run setup)?')
    const socket = connect({ port, host: '127.0.0.1' })
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await pause(20)
  }
}

/** `allow`: a bind without a password succeeds as anonymous, as in many directories. */
function configure(folder: string, hasTls: boolean): string {
  const tls = ['CACertificateFile authority.pem', 'CertificateFile server.pem', 'CertificateKeyFile server.key']
  return `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
include ${folder}/ad.schema
allow bind_anon_cred bind_anon_dn
modulepath /usr/lib/ldap
moduleload back_mdb
${hasTls ? tls.map((line) => `TLS${line.replace(' ', ` ${folder}/`)}`).join('\n') : ''}
database mdb
suffix "${DIRECTORY_SUFFIX}"
rootdn "${ROOT.dn}"
rootpw "${ROOT.password}"
directory ${folder}/data
maxsize 2147483648
dbnosync
index objectClass,uid,mail,entryUUID,cn eq
limits dn.exact="${READER.dn}" size.soft=${SIZE_LIMIT} size.hard=${SIZE_LIMIT} size.prtotal=unlimited
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${READER.dn}" read by anonymous auth by * none
`
}

const BEGINNING = `dn: ${DIRECTORY_SUFFIX}
objectClass: organization
objectClass: dcObject
o: Orchard
dc: orchard

dn: ${PEOPLE_BASE}
objectClass: organizationalUnit
ou: people

dn: ${GROUPS_BASE}
objectClass: organizationalUnit
ou: groups

dn: ${READER.dn}
objectClass: person
cn: reader
sn: reader
userPassword: ${READER.password}
`

/** The settings of a directory that reads this server, for `POST /directories`. */
export function slapdSettings({ secure, ca }: Slapd): Record<string, unknown> {
  return {
    label: 'Orchard directory',
    urls: [secure],
    ca_certificate: ca,
    bind_dn: READER.dn,
    bind_password: READER.password,
    people_base: PEOPLE_BASE,
    groups_base: GROUPS_BASE,
    is_internal: true,
  }
}

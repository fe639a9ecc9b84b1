import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isTimeZone } from '../wire/dates.ts'

interface Variable<T> {
  meaning: string
  fallback: string | undefined
  /** Never printed. */
  secret?: true
  read(text: string): T
}

/** All environment variables of the server; `waypost config` prints this list. */
export const VARIABLES = {
  WAYPOST_ENVIRONMENT: variable(
    '`production`, `development` or `test`',
    'production',
    oneOf('production', 'development', 'test'),
  ),
  WAYPOST_DATABASE_URL: variable('PostgreSQL, as the role that uses the schema', undefined, text, 'secret'),
  WAYPOST_MIGRATE_URL: variable(
    'PostgreSQL, as the role that owns the schema (for `waypost migrate` and `waypost retain`)',
    '',
    text,
    'secret',
  ),
  WAYPOST_DATABASE_POOL: variable('connections of a process for requests', '8', integer(1, 100)),
  WAYPOST_DATABASE_POOL_EXPORTS: variable('connections of a process for exports', '3', integer(1, 100)),
  WAYPOST_DATABASE_POOL_STREAMS: variable(
    'connections of a process for event streams and live queries',
    '3',
    integer(1, 100),
  ),
  // A job reads on a second connection while its transaction is open: fewer than twice the concurrency could deadlock.
  WAYPOST_DATABASE_POOL_JOBS: variable('connections of a process for background jobs', '8', integer(8, 100)),
  WAYPOST_EXPORT_SPOOL_MIB: variable(
    'MiB of temporary files (in `TMPDIR`) that exports may use while their clients read slowly, per process',
    '1024',
    integer(1, 1_048_576),
  ),
  WAYPOST_CACHE_MIB: variable(
    'MiB of memory in which a process keeps artifacts as it has sent them; 0: it keeps none',
    '64',
    integer(0, 65_536),
  ),
  WAYPOST_SECRET_KEYS: variable(
    'comma-separated keys of 32 characters or more; the first signs, all verify',
    undefined,
    secretKeys,
    'secret',
  ),
  WAYPOST_PUBLIC_URL: variable('the address under which people reach this server', 'http://localhost:8080', publicUrl),
  WAYPOST_HOST: variable('the address to listen on', '127.0.0.1', text),
  WAYPOST_PORT: variable('the port to listen on', '8080', integer(0, 65_535)),
  WAYPOST_WORKER_PORT: variable(
    'the port on which a process without the role `api` serves `/healthz`, `/readyz` and `/metrics`; 0: none',
    '8082',
    integer(0, 65_535),
  ),
  WAYPOST_ROLES: variable('what this process does: `api`, `worker`, or both', 'api,worker', roles),
  WAYPOST_DRAIN_SECONDS: variable(
    'how long `/readyz` reports `shutdown` after SIGTERM before the process stops listening, so that a load balancer notices',
    '5',
    integer(0, 300),
  ),
  WAYPOST_CONCURRENT_REQUESTS: variable(
    'requests of one account, or one credential, that a process handles at the same time; more get 429',
    '64',
    integer(1, 10_000),
  ),
  WAYPOST_TRUSTED_PROXIES: variable('comma-separated addresses or networks whose X-Forwarded-For is trusted', '', list),
  WAYPOST_RATE_LIMIT_FACTOR: variable(
    'multiplies every rate limit of this process, for sites where many people share one address',
    '1',
    integer(1, 10_000),
  ),
  WAYPOST_METRICS_FROM: variable('comma-separated addresses that may read /metrics', '127.0.0.1,::1', list),
  WAYPOST_SMTP_URL: variable(
    'the mail server, as smtp://user:password@host:port; empty: mail jobs fail and are parked',
    '',
    text,
    'secret',
  ),
  WAYPOST_MAIL_FROM: variable('the sender of mails, where the setting `mail_from` is empty', 'waypost@localhost', text),
  WAYPOST_FILES: variable(
    'where the bytes of files are stored: a folder, or `s3://bucket/prefix`; the same for every process',
    'data/files',
    filesPlace,
  ),
  WAYPOST_FILES_ACCEL: variable(
    'the internal location of a proxy that serves the folder of `WAYPOST_FILES` itself (`X-Accel-Redirect`); empty: this server does',
    '',
    internalLocation,
  ),
  WAYPOST_FILES_URL: variable(
    'a second address of this server that serves only the bytes of files, on a host of its own; empty: none',
    '',
    otherUrl,
  ),
  WAYPOST_FILES_KEEP_DAYS: variable(
    'how many days bytes are kept after their last file is deleted: more than a backup takes',
    '7',
    integer(0, 3650),
  ),
  WAYPOST_FILES_CHECK: variable(
    'a program with its arguments, separated by spaces, that reads each file on standard input and exits with 0 (accepted) or 1 (refused); empty: none',
    '',
    words,
  ),
  WAYPOST_S3_ENDPOINT: variable('the address of the S3 server; empty: that of AWS', '', text),
  WAYPOST_S3_REGION: variable('the region of the S3 bucket', 'us-east-1', text),
  WAYPOST_S3_ACCESS_KEY: variable(
    'the access key for S3; empty: the AWS credentials of the machine (`AWS_*`, its role)',
    '',
    text,
    'secret',
  ),
  WAYPOST_S3_SECRET_KEY: variable('the secret key for S3', '', text, 'secret'),
  WAYPOST_SVN_ROOT: variable(
    'the folder of the Subversion repositories, and of the files that Apache needs to serve them; empty: no Subversion',
    '',
    optionalFolder,
  ),
  WAYPOST_SVN_URL: variable(
    'the address under which svn clients reach Apache; empty: `/svn` below the public one',
    '',
    optionalAddress,
  ),
  WAYPOST_SVN_LISTEN: variable('where Apache listens, as address:port', '127.0.0.1:8081', addressAndPort),
  WAYPOST_SVN_SIGN_IN: variable(
    'where this server answers the sign-in requests of Apache: empty: a Unix socket below `WAYPOST_SVN_ROOT`; else address:port, which needs `WAYPOST_SVN_SIGN_IN_SECRET`',
    '',
    optionalAddressAndPort,
  ),
  WAYPOST_SVN_SIGN_IN_SECRET: variable(
    'the shared secret that Apache sends with each sign-in request: 32 characters or more, letters, digits, `-` and `_`',
    '',
    sharedSecret,
    'secret',
  ),
  WAYPOST_IDENTITY_SECRETS: variable(
    'the folder with the files of client secrets that providers of identity name; empty: none may be named',
    '',
    folderOrNull,
  ),
  WAYPOST_CHECK_RIGHTS: variable(
    '`1`: every read of an artifact compares the rights in memory with the database; doubles the time of a read',
    '0',
    oneOf('0', '1'),
  ),
  WAYPOST_TIME_ZONE: variable('the zone of dates without one; empty: the setting `time_zone` decides', '', timeZone),
  WAYPOST_LOG_LEVEL: variable(
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  WAYPOST_CELL: variable('0 to 8191: selects the first id of this installation', '0', integer(0, 8191)),
}

type Variables = typeof VARIABLES
export type Config = { readonly [Name in keyof Variables]: ReturnType<Variables[Name]['read']> }

/** Reads and checks all variables, so that one start reports all errors. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  return readVariables(environment, Object.keys(VARIABLES))
}

/** Reads some variables, for a command whose environment has no others. */
export function readPartOfConfig<Name extends keyof Config>(
  environment: NodeJS.ProcessEnv,
  names: readonly Name[],
): Pick<Config, Name> {
  return readVariables(environment, names)
}

function readVariables(environment: NodeJS.ProcessEnv, names: readonly string[]): Config {
  const problems: string[] = []
  const read = <T>(name: string, wanted: Variable<T>): T | undefined => {
    try {
      const given = (wanted.secret ? readSecret(environment, name) : environment[name]) ?? wanted.fallback
      if (given === undefined) throw new Error('is not set')
      return wanted.read(given)
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
  const config: Record<string, unknown> = {}
  for (const [name, each] of Object.entries<Variable<unknown>>(VARIABLES))
    if (names.includes(name)) config[name] = read(name, each)
  if (config['WAYPOST_SVN_SIGN_IN'] && config['WAYPOST_SVN_SIGN_IN_SECRET'] === null)
    problems.push('WAYPOST_SVN_SIGN_IN_SECRET is not set, and WAYPOST_SVN_SIGN_IN is a port')
  for (const name of Object.keys(environment))
    if (name.startsWith('WAYPOST_') && !(name in VARIABLES) && !OTHERS.has(name) && !SECRET_FILES.has(name))
      problems.push(`${name} is not known`)
  if (!isConfig(config, problems)) throw new Error(`The configuration is not usable:\n  ${problems.join('\n  ')}`)
  return config
}

const FILE_SUFFIX = '_FILE'
const SECRET_FILES: ReadonlySet<string> = new Set(
  Object.entries<Variable<unknown>>(VARIABLES).flatMap(([name, { secret }]) => (secret ? [name + FILE_SUFFIX] : [])),
)

/** The variable, or the content of the file that `<name>_FILE` names: files stay out of `/proc` and of crash reports. */
function readSecret(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const { [name]: given, [name + FILE_SUFFIX]: file = '' } = environment
  if (file === '') return given
  if (given !== undefined) throw new Error(`and ${name}${FILE_SUFFIX} are both set`)
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new Error(`cannot be read from its file: ${String(error)}`, { cause: error })
  }
}

/** Read by scripts and tests, not by the server. */
const OTHERS = new Set(['WAYPOST_POSTGRES_BIN', 'WAYPOST_CHROMIUM', 'WAYPOST_CRASH'])

function isConfig(_config: object, problems: string[]): _config is Config {
  return problems.length === 0
}

function variable<T>(
  meaning: string,
  fallback: string | undefined,
  read: (text: string) => T,
  secret?: 'secret',
): Variable<T> {
  return { meaning, fallback, read, ...(secret && { secret: true as const }) }
}

function text(given: string): string {
  return given
}

function list(given: string): string[] {
  return given
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}

function words(given: string): string[] {
  return given.split(/\s+/).filter(Boolean)
}

function otherUrl(given: string): URL | null {
  return given === '' ? null : publicUrl(given)
}

function optionalFolder(given: string): string | null {
  // It becomes part of a configuration file that cannot quote some of these characters.
  if (/["'\\\s$%]/.test(given)) throw new Error('must be a path without spaces, quotes, $ and %')
  if (given === '') return null
  const folder = resolve(given)
  // The path of a Unix socket has at most 107 bytes; those of this server are `<root>/sockets/12345678.sock`.
  if (Buffer.byteLength(folder) > MAX_SVN_ROOT_BYTES)
    throw new Error(`must be a path of at most ${MAX_SVN_ROOT_BYTES} bytes`)
  return folder
}

const MAX_SVN_ROOT_BYTES = 84

function folderOrNull(given: string): string | null {
  return given === '' ? null : resolve(given)
}

function optionalAddress(given: string): URL | null {
  if (given === '') return null
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new Error('must be like https://waypost.example/svn')
  return url
}

function addressAndPort(given: string): { host: string; port: number } {
  const [, host = '', port = ''] = /^([\w.-]+):(\d+)$/.exec(given) ?? []
  if (host === '' || Number(port) > 65_535) throw new Error('must be like 127.0.0.1:8081')
  return { host, port: Number(port) }
}

function optionalAddressAndPort(given: string): { host: string; port: number } | null {
  return given === '' ? null : addressAndPort(given)
}

/** It becomes part of Apache's configuration. */
function sharedSecret(given: string): string | null {
  if (given !== '' && !/^[\w-]{32,}$/.test(given)) throw new Error('needs 32 letters, digits, - and _ or more')
  return given || null
}

function internalLocation(given: string): string | null {
  if (given !== '' && !/^(?:\/[\w.-]+)+\/?$/.test(given)) throw new Error('must be like /waypost-files')
  return given.replace(/\/$/, '') || null
}

type FilesPlace =
  | { readonly kind: 'disk'; readonly folder: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string }

function filesPlace(given: string): FilesPlace {
  if (!given.startsWith('s3:')) {
    if (given === '' || given.includes('://')) throw new Error('must be a folder or like s3://bucket/prefix')
    return { kind: 'disk', folder: resolve(given) }
  }
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/.exec(given) ?? []
  if (bucket === undefined) throw new Error('must be like s3://bucket/prefix')
  return { kind: 's3', bucket, prefix: prefix.slice(1) }
}

function oneOf<const T extends string>(...allowed: T[]): (given: string) => T {
  return (given) => {
    const found = allowed.find((each) => each === given)
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`)
    return found
  }
}

function integer(minimum: number, maximum: number): (given: string) => number {
  return (given) => {
    const value = Number(given)
    if (!/^\d+$/.test(given) || value < minimum || value > maximum)
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`)
    return value
  }
}

function secretKeys(given: string): string[] {
  const keys = list(given)
  if (keys.length === 0 || keys.some((key) => key.length < 32)) throw new Error('needs keys of 32 characters or more')
  return keys
}

function publicUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.username)
    throw new Error('must be like https://waypost.example, without a path')
  return url
}

function roles(given: string): { api: boolean; worker: boolean } {
  const names = list(given)
  if (names.length === 0 || names.some((name) => name !== 'api' && name !== 'worker'))
    throw new Error('must be `api`, `worker` or `api,worker`')
  return { api: names.includes('api'), worker: names.includes('worker') }
}

function timeZone(given: string): string | null {
  if (given !== '' && !isTimeZone(given)) throw new Error('must be an IANA name like Europe/Vienna')
  return given || null
}

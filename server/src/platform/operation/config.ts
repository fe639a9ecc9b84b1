import { resolve } from 'node:path'
import { isTimeZone } from '../wire/dates.ts'

interface Variable<T> {
  meaning: string
  fallback: string | undefined
  /** Never printed. */
  secret?: true
  read(text: string): T
}

/** Every variable that the server reads: `waypost config` prints this list. */
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
  WAYPOST_DATABASE_POOL: variable('connections a process keeps', '8', integer(1, 100)),
  WAYPOST_SECRET_KEYS: variable(
    'comma-separated keys of 32 characters or more; the first signs, all verify',
    undefined,
    secretKeys,
    'secret',
  ),
  WAYPOST_PUBLIC_URL: variable('the address under which people reach this server', 'http://localhost:8080', publicUrl),
  WAYPOST_HOST: variable('the address to listen on', '127.0.0.1', text),
  WAYPOST_PORT: variable('the port to listen on', '8080', integer(0, 65_535)),
  WAYPOST_ROLES: variable('what this process does: `api`, `worker`, or both', 'api,worker', roles),
  WAYPOST_TRUSTED_PROXIES: variable('comma-separated addresses or networks whose X-Forwarded-For counts', '', list),
  WAYPOST_METRICS_FROM: variable('comma-separated addresses that may read /metrics', '127.0.0.1,::1', list),
  WAYPOST_SMTP_URL: variable(
    'the mail server, as smtp://user:password@host:port; empty: mails are parked in the end',
    '',
    text,
    'secret',
  ),
  WAYPOST_MAIL_FROM: variable('the sender of mails, where the setting `mail_from` is empty', 'waypost@localhost', text),
  WAYPOST_FILES: variable(
    'where the bytes of files lie: a folder, or `s3://bucket/prefix`; the same for every process',
    'data/files',
    filesPlace,
  ),
  WAYPOST_FILES_ACCEL: variable(
    'the internal location of a proxy that serves the folder of `WAYPOST_FILES` itself (`X-Accel-Redirect`); empty: we do',
    '',
    internalLocation,
  ),
  WAYPOST_FILES_URL: variable(
    'another address of this server, for nothing but the bytes of files, which then share no host with the rest; empty: none',
    '',
    otherUrl,
  ),
  WAYPOST_FILES_KEEP_DAYS: variable(
    'how long bytes stay after the last file that had them: longer than a backup takes',
    '7',
    integer(0, 3650),
  ),
  WAYPOST_FILES_CHECK: variable(
    'a program with its arguments, parted by spaces, that gets each file on standard input and ends with 0 (good) or 1 (refused); empty: none',
    '',
    words,
  ),
  WAYPOST_S3_ENDPOINT: variable('the address of the S3 server; empty: that of AWS', '', text),
  WAYPOST_S3_REGION: variable('the region of the S3 bucket', 'us-east-1', text),
  WAYPOST_S3_ACCESS_KEY: variable(
    'the access key for S3; empty: what the machine has for AWS (`AWS_*`, its role)',
    '',
    text,
    'secret',
  ),
  WAYPOST_S3_SECRET_KEY: variable('the secret key for S3', '', text, 'secret'),
  WAYPOST_SVN_ROOT: variable(
    'the folder of the Subversion repositories, and of what Apache needs to serve them; empty: there is no Subversion here',
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
    'where this server answers Apache who may come in, as address:port; nobody else should reach it',
    '127.0.0.1:8082',
    addressAndPort,
  ),
  WAYPOST_TIME_ZONE: variable('the zone of dates without one; empty: the setting `time_zone` decides', '', timeZone),
  WAYPOST_LOG_LEVEL: variable(
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  WAYPOST_CELL: variable('0 to 8191: where the ids of this installation begin', '0', integer(0, 8191)),
}

type Variables = typeof VARIABLES
export type Config = { readonly [Name in keyof Variables]: ReturnType<Variables[Name]['read']> }

/** Reads and checks everything at once, so that one start shows all that is wrong. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  const read = <T>(name: string, wanted: Variable<T>): T | undefined => {
    const given = environment[name] ?? wanted.fallback
    try {
      if (given === undefined) throw new Error('is not set')
      return wanted.read(given)
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
  const config: Record<string, unknown> = {}
  for (const [name, each] of Object.entries<Variable<unknown>>(VARIABLES)) config[name] = read(name, each)
  for (const name of Object.keys(environment))
    if (name.startsWith('WAYPOST_') && !(name in VARIABLES) && !OTHERS.has(name)) problems.push(`${name} is not known`)
  if (!isConfig(config, problems)) throw new Error(`The configuration is not usable:\n  ${problems.join('\n  ')}`)
  return config
}

/** Read by scripts and tests, not by the server. */
const OTHERS = new Set(['WAYPOST_POSTGRES_BIN', 'WAYPOST_CHROMIUM', 'WAYPOST_CRASH', 'WAYPOST_PLANT'])

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
  // It becomes part of a configuration file, which has no way to quote some of these.
  if (/["'\\\s$%]/.test(given)) throw new Error('must be a path without spaces, quotes, $ and %')
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

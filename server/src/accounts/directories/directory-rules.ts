import { X509Certificate } from 'node:crypto'
import { FilterParser } from 'ldapts'
import { isRefusedPort } from '../../platform/http/ssrf-guard.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { DirectorySettings } from './directory-settings.ts'
import { parseDirectoryUrl } from './directory-url.ts'
import { normalizeDn } from './normalize-dn.ts'

const LDAP_PORTS: ReadonlySet<number> = new Set([389, 636, 3268, 3269])
const FILTERS = ['people_filter', 'disabled_filter', 'groups_filter'] as const
const DISTINGUISHED_NAMES = ['people_base', 'groups_base', 'bind_dn'] as const

/** Refuses settings that cannot work or are not safe. Reachability is tested by `testDirectory`, not here. */
export function requireDirectoryRules(settings: DirectorySettings, hasSecret: boolean): void {
  settings.urls.forEach((url, index) => requireUrl(settings, url, `urls[${index}]`))
  if (settings.tls === 'none' && !settings.is_internal)
    throw new ApiError('parameter_not_allowed', { path: 'tls', rule: 'one_of', allowed: ['ldaps', 'starttls'] })
  requireCertificate(settings.ca_certificate)
  for (const path of FILTERS) requireFilter(settings[path], path)
  for (const path of DISTINGUISHED_NAMES) requireDn(settings[path], path)
  const { bind_dn, bind_password_file } = settings
  if (hasSecret && bind_password_file) throw new ApiError('parameter_conflict', { path: 'bind_password_file' })
  // Without a password the directory would take the bind as anonymous, and report success.
  if (bind_dn !== null && !hasSecret && !bind_password_file)
    throw new ApiError('parameter_required', { path: 'bind_password', rule: 'required' })
}

function requireUrl({ tls }: DirectorySettings, given: string, path: string): void {
  const url = parseDirectoryUrl(given)
  if (!url) throw new ApiError('parameter_invalid', { path, rule: 'format' })
  const scheme = tls === 'ldaps' ? 'ldaps' : 'ldap'
  if (url.scheme !== scheme)
    throw new ApiError('parameter_not_allowed', { path, rule: 'one_of', allowed: [`${scheme}://`] })
  if (!LDAP_PORTS.has(url.port) && isRefusedPort(url.port))
    throw new ApiError('parameter_not_allowed', { path, rule: 'one_of', cause: 'target' })
}

function requireCertificate(pem: string | null): void {
  if (pem === null) return
  if (!isCertificate(pem)) throw new ApiError('parameter_invalid', { path: 'ca_certificate', rule: 'format' })
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}

function requireFilter(text: string | null, path: string): void {
  if (text === null) return
  try {
    FilterParser.parseString(text)
  } catch {
    throw new ApiError('parameter_invalid', { path, rule: 'format' })
  }
}

function requireDn(text: string | null, path: string): void {
  if (text !== null && normalizeDn(text) === undefined)
    throw new ApiError('parameter_invalid', { path, rule: 'format' })
}

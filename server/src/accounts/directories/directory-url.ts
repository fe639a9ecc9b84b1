/** A host of a directory. */
export interface DirectoryUrl {
  readonly scheme: 'ldap' | 'ldaps'
  readonly host: string
  readonly port: number
}

const DEFAULT_PORTS = { ldap: 389, ldaps: 636 } as const

/** Undefined: it is no `ldap` or `ldaps` URL, or has more than a host and a port. */
export function parseDirectoryUrl(given: string): DirectoryUrl | undefined {
  const url = URL.parse(given)
  if (!url || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  if (url.pathname !== '' && url.pathname !== '/') return undefined
  const scheme = url.protocol === 'ldaps:' ? 'ldaps' : 'ldap'
  if (url.protocol !== `${scheme}:`) return undefined
  // The host of a URL of this kind is not normalized by the parser: that of an http URL is.
  const plain = URL.parse(`http://${url.hostname}`)
  const host = plain?.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') ?? ''
  if (host === '') return undefined
  return { scheme, host, port: url.port === '' ? DEFAULT_PORTS[scheme] : Number(url.port) }
}

import { join } from 'node:path'
import type { Config } from '../../platform/operation/config.ts'
import { getSvnFolders, SIGN_IN_SOCKET } from './svn-folders.ts'

/** The environment of the Apache service has only these: neither the database nor the secret keys. */
export const APACHE_VARIABLES = [
  'WAYPOST_SVN_ROOT',
  'WAYPOST_SVN_LISTEN',
  'WAYPOST_SVN_SIGN_IN',
  'WAYPOST_SVN_SIGN_IN_SECRET',
  'WAYPOST_TRUSTED_PROXIES',
] as const
export type ApacheVariables = Pick<Config, (typeof APACHE_VARIABLES)[number]>

/** The variable in which Apache sends the shared sign-in secret. */
export const SECRET_VARIABLE = 'WAYPOST_SIGN_IN_SECRET'
const MODULES = '/usr/lib/apache2/modules'
/** In dependency order. */
const APACHE_MODULES = [
  'mpm_event',
  'authn_core',
  'authz_core',
  'authz_user',
  'auth_basic',
  'alias',
  'headers',
  'mime',
  'setenvif',
  'remoteip',
  'dav',
  'authnz_fcgi',
  'dav_svn',
  'authz_svn',
]

/**
 * The configuration of an Apache that serves only repositories. It fails closed: each request needs a successful
 * sign-in at the server; the access file of the repository grants the paths.
 */
export function apacheConfig(folder: string, config: ApacheVariables, user?: { readonly name: string }): string {
  const { WAYPOST_SVN_LISTEN: listen, WAYPOST_SVN_SIGN_IN_SECRET: secret, WAYPOST_TRUSTED_PROXIES: proxies } = config
  return `# Made by \`waypost svn apache-config\`. Apache serves the Subversion repositories of Waypost with it, and nothing else.
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
PidFile httpd.pid
Mutex pthread
ServerName localhost
Listen ${listen.host}:${listen.port}
${user ? `User ${user.name}\nGroup ${user.name}\n` : ''}
${APACHE_MODULES.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}

ErrorLog error.log
LogLevel warn
ServerTokens Prod
ServerSignature Off
TraceEnable Off
TypesConfig /dev/null
Timeout 300
# What a connection once read of an access file it does not read again: each request has its own, and what changed counts.
KeepAlive Off
LimitXMLRequestBody 8388608
# Whoever is told no is told it by the server; when that is away, by this text.
Alias /.waypost/away.xml ${join(folder, 'away.xml')}
ErrorDocument 500 /.waypost/away.xml
ErrorDocument 503 /.waypost/away.xml
${proxies.length > 0 ? `RemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy ${proxies.join(' ')}\n` : ''}
AuthnzFcgiDefineProvider authnz waypost ${signInAddress(config)}
${secret === null ? '' : `SetEnvIf Request_URI ".*" ${SECRET_VARIABLE}=${secret}\n`}
<Location "/">
  AuthType Basic
  AuthName "Waypost"
  AuthnzFcgiCheckAuthnProvider waypost Authoritative On RequireBasicAuth On UserExpr "%{reqenv:WAYPOST_LOGIN}"
  Require valid-user
  # A browser shows nothing of what people have committed.
  Header always set X-Content-Type-Options nosniff
  Header always set Content-Security-Policy "default-src 'none'; sandbox"
  Header always set Cross-Origin-Resource-Policy same-origin
  Header always set Cross-Origin-Opener-Policy same-origin
  Header always set Cache-Control private
  Header set Content-Disposition attachment
</Location>
<Location "/.waypost">
  AuthnzFcgiCheckAuthnProvider None
  Require all granted
</Location>
<Files "away.xml">
  ForceType text/xml
</Files>
<Directory />
  AllowOverride None
</Directory>

# A file for each project that has a repository, made by the server, which lets Apache read it by SIGUSR1.
IncludeOptional projects/*.conf
IncludeOptional seen/*.conf
`
}

/**
 * The documentation of mod_authnz_fcgi knows only `fcgi://host:port/`. APR takes a host that begins with a slash as the path of
 * a Unix socket, and ignores the port, which has to be there.
 */
function signInAddress(config: ApacheVariables): string {
  const { WAYPOST_SVN_SIGN_IN: address } = config
  return address === null
    ? `fcgi://${join(getSvnFolders(config).signIn, SIGN_IN_SOCKET)}:0/`
    : `fcgi://${address.host}:${address.port}/`
}

/** The Apache configuration of one project. Short names need no quoting. */
export function projectConfig(repositories: string, shortname: string): string {
  const of = (address: string) => `<Location "/${address}/${shortname}">
  DAV svn
  SVNParentPath ${join(repositories, shortname)}
  SVNListParentPath Off
  # Asks for every path by itself, without coming back to the sign-in.
  SVNPathAuthz short_circuit
  SVNAllowBulkUpdates Prefer
  AuthzSVNReposRelativeAccessFile authz
</Location>
`
  return of('svn') + of('svnplugin')
}

/** The error that svn clients print if the server is unavailable. */
export const UNAVAILABLE_RESPONSE = `<?xml version="1.0" encoding="utf-8"?>
<D:error xmlns:D="DAV:" xmlns:m="http://apache.org/dav/xmlns" xmlns:C="svn:">
<C:error/>
<m:human-readable errcode="220000">
Waypost cannot be reached, so access cannot be checked. Try again later.
</m:human-readable>
</D:error>
`

/** `deploy/apache/waypost-svn.conf`: the defaults, with one example project. `npm run docs` writes it. */
export function shippedApacheConfig(): string {
  const root = '/var/lib/waypost/svn'
  const config = apacheConfig(join(root, 'apache'), {
    WAYPOST_SVN_LISTEN: { host: '127.0.0.1', port: 8081 },
    WAYPOST_SVN_ROOT: root,
    WAYPOST_SVN_SIGN_IN: null,
    WAYPOST_SVN_SIGN_IN_SECRET: null,
    WAYPOST_TRUSTED_PROXIES: ['127.0.0.1'],
  })
  const example = projectConfig(join(root, 'repositories'), 'orchard').trimEnd().split('\n')
  return `${config}
# Such a file, for a project \`orchard\`:
${example.map((line) => `#   ${line}`).join('\n')}
`
}

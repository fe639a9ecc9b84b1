import { join } from 'node:path'
import type { Config } from '../../platform/operation/config.ts'

type Given = Pick<Config, 'WAYPOST_SVN_LISTEN' | 'WAYPOST_SVN_SIGN_IN' | 'WAYPOST_TRUSTED_PROXIES'>

const MODULES = '/usr/lib/apache2/modules'
/** In the order in which they need each other. */
const NEEDED = [
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
 * The configuration of an Apache that serves nothing but repositories. Nobody is let in whom the server has not let in,
 * whatever is wrong; what each may read, the access file of the repository says.
 */
export function apacheConfig(
  folder: string,
  { WAYPOST_SVN_LISTEN: listen, WAYPOST_SVN_SIGN_IN: signIn, WAYPOST_TRUSTED_PROXIES: proxies }: Given,
  user?: { readonly name: string },
): string {
  return `# Made by \`waypost svn apache-config\`. Apache serves the Subversion repositories of Waypost with it, and nothing else.
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
PidFile httpd.pid
Mutex pthread
ServerName localhost
Listen ${listen.host}:${listen.port}
${user ? `User ${user.name}\nGroup ${user.name}\n` : ''}
${NEEDED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}

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
AuthnzFcgiDefineProvider authnz waypost fcgi://${signIn.host}:${signIn.port}/

<Location "/">
  AuthType Basic
  AuthName "Waypost"
  AuthnzFcgiCheckAuthnProvider waypost Authoritative On RequireBasicAuth On UserExpr "%{reqenv:WAYPOST_LOGIN}"
  Require valid-user
  # A browser shows nothing of what people have committed.
  Header always set X-Content-Type-Options nosniff
  Header always set Content-Security-Policy "default-src 'none'; sandbox"
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

/** What Apache has to know of one project. Short names have nothing in them that would have to be quoted. */
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

/** What svn clients print when the server cannot be asked. */
export const AWAY = `<?xml version="1.0" encoding="utf-8"?>
<D:error xmlns:D="DAV:" xmlns:m="http://apache.org/dav/xmlns" xmlns:C="svn:">
<C:error/>
<m:human-readable errcode="220000">
Waypost cannot be reached, so that nobody can say whether this is allowed. Try again later.
</m:human-readable>
</D:error>
`

/** `deploy/apache/waypost-svn.conf`: the defaults, with one project as an example. `npm run docs` writes it. */
export function shippedApacheConfig(): string {
  const root = '/var/lib/waypost/svn'
  const config = apacheConfig(join(root, 'apache'), {
    WAYPOST_SVN_LISTEN: { host: '127.0.0.1', port: 8081 },
    WAYPOST_SVN_SIGN_IN: { host: '127.0.0.1', port: 8082 },
    WAYPOST_TRUSTED_PROXIES: ['127.0.0.1'],
  })
  const example = projectConfig(join(root, 'repositories'), 'orchard').trimEnd().split('\n')
  return `${config}
# Such a file, for a project \`orchard\`:
${example.map((line) => `#   ${line}`).join('\n')}
`
}

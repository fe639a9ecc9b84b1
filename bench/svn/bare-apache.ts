import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { svnUser } from '../../server/src/repositories/disk/run-tool.ts'

const MODULES = '/usr/lib/apache2/modules'
const NEEDED = ['mpm_event', 'authn_core', 'authz_core', 'mime', 'dav', 'dav_svn']

interface Bare {
  readonly folder: string
  readonly repository: string
  readonly port: number
}

/** Apache and mod_dav_svn with default settings and one public repository. */
export async function startBareApache({ folder, repository, port }: Bare) {
  const file = join(folder, 'httpd.conf')
  const user = await svnUser()
  const lines = [
    `ServerRoot ${folder}`,
    `DefaultRuntimeDir ${folder}`,
    'PidFile httpd.pid',
    'Mutex pthread',
    'ServerName localhost',
    `Listen 127.0.0.1:${port}`,
    ...(user ? ['User www-data', 'Group www-data'] : []),
    ...NEEDED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    'ErrorLog error.log',
    'TypesConfig /dev/null',
    '<Location "/bare">',
    'DAV svn',
    `SVNPath ${repository}`,
    'Require all granted',
    '</Location>',
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  const apache = spawn('/usr/sbin/apache2', ['-d', folder, '-f', file, '-D', 'FOREGROUND'], {
    cwd: '/',
    stdio: 'ignore',
  })
  const address = `http://127.0.0.1:${port}/bare`
  for (let tries = 0; tries < 400; tries++) {
    if ((await fetch(address).catch(() => undefined))?.ok) break
    await pause(25)
  }
  return {
    address,
    async stop() {
      const exit = once(apache, 'exit')
      apache.kill('SIGTERM')
      await exit
    },
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../server/src/platform/operation/free-port.ts'
import type { FilesWorld } from './world.ts'

const NGINX = '/usr/sbin/nginx'

export interface Nginx {
  readonly port: number
  stop(): Promise<void>
}

/** Serves the stored bytes under `/content/` and proxies the rest; undefined if nginx is not installed. */
export async function startNginx({ folder, files, port: behind }: FilesWorld): Promise<Nginx | undefined> {
  if (!existsSync(NGINX)) return undefined
  const port = await freePort()
  const home = join(folder, 'nginx')
  await mkdir(home, { recursive: true })
  const configuration = join(home, 'nginx.conf')
  await writeFile(
    configuration,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; worker_processes 2; error_log ${home}/error.log; pid ${home}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; default_type application/octet-stream;
  client_body_temp_path ${home}/body; proxy_temp_path ${home}/proxy; fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi; scgi_temp_path ${home}/scgi;
  upstream waypost { server 127.0.0.1:${behind}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location /content/ { alias ${files}/content/; }
    location /waypost-files/ { internal; alias ${files}/; }
    location / { proxy_pass http://waypost; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`,
  )
  const child = spawn(NGINX, ['-p', home, '-c', configuration], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  for (let turn = 0; !(await isListening(port)); turn++) {
    if (turn > 100) throw new Error(`nginx does not listen: ${configuration}`)
    await pause(50)
  }
  return {
    port,
    async stop() {
      child.kill('SIGQUIT')
      await ended
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.once('connect', () => socket.destroy())
  })
}

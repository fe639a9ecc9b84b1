import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Config } from './config.ts'
import type { DiagnosticFinding } from './diagnosis.ts'
import { probeHeaders, readProbed } from './proxy-probe.ts'
import { createSecrets } from './secrets.ts'

const TIMEOUT_MS = 10_000
/** A documentation address (RFC 5737), which no client has. */
const MADE_UP_CLIENT = '192.0.2.1'

/** Calls the public address, and checks how requests reach the server and whether its metrics are readable there. */
export async function proxy({ config }: { readonly config: Config }): Promise<DiagnosticFinding> {
  const { href, protocol } = config.WAYPOST_PUBLIC_URL
  const api = await call(config, '/api').catch((error: unknown) => String(error))
  if (typeof api === 'string')
    return { what: 'proxy', state: 'warning', detail: `${href} cannot be reached from here: not checked (${api})` }
  const seen = readProbed(api.headers)
  if (!seen) return { what: 'proxy', state: 'warning', detail: `${href} is not answered by this installation` }
  if (seen.peer_port === api.localPort) return { what: 'proxy', state: 'ok', detail: 'none in front' }

  const faults: string[] = []
  if (!seen.is_trusted)
    faults.push(`${seen.peer} is a proxy and not in WAYPOST_TRUSTED_PROXIES: all clients count as one`)
  if (seen.forwarded_for === null) faults.push('the proxy does not send X-Forwarded-For')
  if (seen.forwarded_for === MADE_UP_CLIENT)
    faults.push('the proxy passes X-Forwarded-For on as a client sends it: anybody can choose their address')
  const metrics = await call(config, '/metrics')
  if (metrics.status === 200 && metrics.body.includes('waypost_http_'))
    faults.push('/metrics can be read through the proxy')
  // An unknown peer with plain HTTP and unchanged headers may be network address translation, which is fine.
  const isCertain = protocol === 'https:' || seen.is_trusted || seen.forwarded_for !== MADE_UP_CLIENT
  if (faults.length === 0) return { what: 'proxy', state: 'ok', detail: `${seen.peer}, trusted` }
  return { what: 'proxy', state: isCertain ? 'wrong' : 'warning', detail: faults.join('; ') }
}

interface Called {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly localPort: number
}

/** Not `fetch`, which does not expose its local port. */
async function call({ WAYPOST_PUBLIC_URL, WAYPOST_SECRET_KEYS }: Config, path: string): Promise<Called> {
  const request = WAYPOST_PUBLIC_URL.protocol === 'https:' ? requestHttps : requestHttp
  const headers = {
    ...probeHeaders(createSecrets(WAYPOST_SECRET_KEYS), new Date()),
    'x-forwarded-for': MADE_UP_CLIENT,
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const outgoing = request(new URL(path, WAYPOST_PUBLIC_URL), { headers, signal, agent: false })
  const answered = once(outgoing, 'response')
  outgoing.end()
  const [answer]: IncomingMessage[] = await answered
  if (!answer) throw new Error('no answer')
  const { localPort = 0 } = answer.socket
  return { status: answer.statusCode ?? 0, headers: answer.headers, localPort, body: await text(answer) }
}

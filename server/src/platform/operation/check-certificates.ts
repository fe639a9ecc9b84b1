import { once } from 'node:events'
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls'
import type { DiagnosticFinding, Installation } from './diagnosis.ts'

const TIMEOUT_MS = 10_000
const DAY_MS = 86_400_000
/** Renewal usually happens 30 days before the end. */
const MIN_DAYS_LEFT = 14
/** An authority of one's own, which this process does not know. */
const UNKNOWN_ISSUERS = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Connects to each https address of the installation, and judges its certificate. */
export async function certificates({ config }: Pick<Installation, 'config'>): Promise<DiagnosticFinding> {
  const { WAYPOST_PUBLIC_URL, WAYPOST_FILES_URL, WAYPOST_SVN_URL } = config
  const urls = [WAYPOST_PUBLIC_URL, WAYPOST_FILES_URL, WAYPOST_SVN_URL].filter((url) => url !== null)
  const hosts = new Set(urls.filter(({ protocol }) => protocol === 'https:').map(({ host }) => host))
  const judged = await Promise.all([...hosts].map((host) => judgeHost(host, new Date())))
  const worst = judged.find(({ state }) => state === 'wrong') ?? judged.find(({ state }) => state === 'warning')
  const detail = judged.map(({ detail: each }) => each).join('; ')
  return { what: 'certificates', state: worst?.state ?? 'ok', detail: detail || 'no https address' }
}

type Judgement = Pick<DiagnosticFinding, 'state' | 'detail'>

/** The certificate of `host:port`, at this time. */
export async function judgeHost(host: string, now: Date): Promise<Judgement> {
  const { hostname, port } = new URL(`https://${host}`)
  const name = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host: name,
    port: Number(port || 443),
    rejectUnauthorized: false, // Judged below, in words.
    ...(/[a-z]/i.test(name) && !name.includes(':') && { servername: name }),
  })
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no response')))
  try {
    await once(socket, 'secureConnect')
    return judgeCertificate(host, name, socket, now)
  } catch (error) {
    return { state: 'warning', detail: `${host} cannot be reached from here: ${String(error)}` }
  } finally {
    socket.destroy()
  }
}

function judgeCertificate(host: string, name: string, socket: TLSSocket, now: Date): Judgement {
  const certificate = socket.getPeerCertificate()
  const { valid_from, valid_to } = certificate
  const daysLeft = Math.floor((Date.parse(valid_to) - now.getTime()) / DAY_MS)
  if (Date.parse(valid_from) > now.getTime())
    return { state: 'wrong', detail: `${host}: valid from ${valid_from} only` }
  if (daysLeft < 0) return { state: 'wrong', detail: `${host}: expired on ${valid_to}` }
  const mismatch = checkServerIdentity(name, certificate)
  if (mismatch) return { state: 'wrong', detail: `${host}: ${mismatch.message}` }
  const fault = socket.authorized ? '' : String(socket.authorizationError)
  if (fault !== '' && !/EXPIRED|NOT_YET_VALID/.test(fault) && !UNKNOWN_ISSUERS.has(fault))
    return { state: 'wrong', detail: `${host}: ${fault}` }
  if (daysLeft < MIN_DAYS_LEFT) return { state: 'warning', detail: `${host}: expires in ${daysLeft} days` }
  if (UNKNOWN_ISSUERS.has(fault))
    return { state: 'warning', detail: `${host}: issuer unknown here (${fault}); name it in NODE_EXTRA_CA_CERTS` }
  return { state: 'ok', detail: `${host}: ${daysLeft} days left` }
}

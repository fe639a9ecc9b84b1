import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { pinnedLookup } from '../../platform/http/ssrf-guard.ts'
import type { Context } from '../../platform/operation/context.ts'
import { describeConnectionError } from '../identity/connection-errors.ts'
import { findReachableAddresses } from '../identity/reachable-addresses.ts'
import { DirectoryUnavailable } from './directory-error.ts'
import type { DirectorySettings } from './directory-settings.ts'
import { parseDirectoryUrl } from './directory-url.ts'
import { requestStartTls } from './start-tls.ts'

/** A connection to one host, ready for requests: with TLS, if the settings do not forgo it. */
export async function openDirectorySocket(
  context: Context,
  settings: DirectorySettings,
  given: string,
  timeoutMs: number,
): Promise<Socket> {
  const { tls, ca_certificate, is_internal } = settings
  const url = parseDirectoryUrl(given)
  if (!url) throw new DirectoryUnavailable('address', `${given.slice(0, 200)} is not the address of a directory.`)
  const { host, port } = url
  const place = `${host}:${port}`
  // Settings of an older version, or from a file, are checked again before anything is sent.
  if (tls === 'none' ? !is_internal : (tls === 'ldaps') !== (url.scheme === 'ldaps'))
    throw new DirectoryUnavailable('address', `${place} is not called without TLS.`)
  const addresses = await findReachableAddresses(context, host, is_internal)
  if (addresses === 'unknown') throw new DirectoryUnavailable('address', `The name ${host} does not resolve.`)
  if (addresses === 'private')
    throw new DirectoryUnavailable(
      'address',
      `${host} has an address inside of a private network. For a directory of your own, set \`is_internal\`.`,
    )

  const plain = connectPlain({ host, port, lookup: pinnedLookup(addresses) })
  let socket: Socket = plain
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    socket.destroy(new Error('late'))
    plain.destroy(new Error('late'))
  }, timeoutMs)
  try {
    await once(plain, 'connect')
    if (tls === 'none') return plain
    if (tls === 'starttls') await requestStartTls(plain, place)
    const secure: TLSSocket = connectTls({
      socket: plain,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca_certificate !== null && { ca: ca_certificate }),
      rejectUnauthorized: true,
    })
    socket = secure
    await once(secure, 'secureConnect')
    return secure
  } catch (error) {
    socket.destroy()
    plain.destroy()
    if (isLate) throw new DirectoryUnavailable('time', `${place} did not answer within ${timeoutMs / 1000} seconds.`)
    if (error instanceof DirectoryUnavailable) throw error
    const reason = describeConnectionError(error, '`ca_certificate`')
    throw new DirectoryUnavailable(socket === plain ? 'network' : 'tls', `${place} cannot be reached: ${reason}.`)
  } finally {
    clearTimeout(timer)
  }
}

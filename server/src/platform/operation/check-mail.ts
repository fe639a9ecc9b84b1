import { openMailTransport } from '../jobs/mailer.ts'
import type { DiagnosticFinding, Installation } from './diagnosis.ts'

const TIMEOUT_MS = 10_000

/** Connects to the mail server and signs in, as for a mail, and sends none. */
export async function mail({ config }: Pick<Installation, 'config'>): Promise<DiagnosticFinding> {
  const what = 'mail'
  const { WAYPOST_SMTP_URL: url } = config
  if (url === '') return { what, state: 'warning', detail: 'WAYPOST_SMTP_URL is empty: mails wait' }
  const { hostname, port } = new URL(url)
  const address = port === '' ? hostname : `${hostname}:${port}`
  const transport = openMailTransport(url, TIMEOUT_MS)
  try {
    await transport.verify()
    return { what, state: 'ok', detail: address }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    return { what, state: 'wrong', detail: `${address}: ${cause.replaceAll('\n', ' ')}` }
  } finally {
    transport.close()
  }
}

import { toId } from '../platform/database/ids.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import type { FileId } from './file.ts'

const PURPOSE = 'file ticket'
const TICKET_TTL_MS = 5 * 60_000

type Signing = Pick<Context, 'secrets' | 'clock'>

/**
 * Signs a short-lived ticket that identifies the reader of one file where cookies are unavailable. Permissions are
 * checked on use.
 */
export function signTicket({ secrets, clock }: Signing, file: FileId, account: AccountId | undefined): string {
  const said = `${account ?? 0}.${clock.now().getTime() + TICKET_TTL_MS}`
  return `${said}.${secrets.sign(PURPOSE, `${file}.${said}`)}`
}

/** Undefined: forged, for another file, or expired. Without an account: anonymous. */
export function verifyTicket(
  { secrets, clock }: Signing,
  file: FileId,
  ticket = '',
): { readonly account: AccountId | undefined } | undefined {
  const [, said = '', account, until, signature = ''] = /^((\d{1,16})\.(\d{1,16}))\.([\w-]+)$/.exec(ticket) ?? []
  const isOurs = said !== '' && secrets.verify(PURPOSE, `${file}.${said}`, signature)
  if (!isOurs || clock.now().getTime() >= Number(until)) return undefined
  return { account: account === '0' ? undefined : toId<AccountId>(Number(account)) }
}

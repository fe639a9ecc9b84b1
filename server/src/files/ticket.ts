import { toId } from '../platform/database/ids.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import type { FileId } from './file.ts'

const PURPOSE = 'file ticket'
const LIFE = 5 * 60_000

type Signing = Pick<Context, 'secrets' | 'clock'>

/** Says for a few minutes who wants to read one file, where no cookie can. What he may read is looked up there. */
export function writeTicket({ secrets, clock }: Signing, file: FileId, account: AccountId | undefined): string {
  const said = `${account ?? 0}.${clock.now().getTime() + LIFE}`
  return `${said}.${secrets.sign(PURPOSE, `${file}.${said}`)}`
}

/** Undefined: it is none of ours, for another file, or over. Without an account: anonymous. */
export function readTicket(
  { secrets, clock }: Signing,
  file: FileId,
  ticket = '',
): { readonly account: AccountId | undefined } | undefined {
  const [, said = '', account, until, signature = ''] = /^((\d{1,16})\.(\d{1,16}))\.([\w-]+)$/.exec(ticket) ?? []
  const isOurs = said !== '' && secrets.verify(PURPOSE, `${file}.${said}`, signature)
  if (!isOurs || clock.now().getTime() >= Number(until)) return undefined
  return { account: account === '0' ? undefined : toId<AccountId>(Number(account)) }
}

import type { AccountId } from '../../../platform/http/viewer.ts'
import { isId } from '../../../platform/database/ids.ts'
import type { Secrets } from '../../../platform/operation/secrets.ts'
import { ApiError } from '../../../platform/words/errors.ts'
import { WATCHED_KINDS, type WatchedObject } from '../watching/watched-object.ts'

/** What the link of a mail ends, for whom; `mails`: all that come as digests or by themselves. */
export interface Unsubscription {
  readonly account: AccountId
  readonly object: WatchedObject | 'mails'
}

const PURPOSE = 'unsubscribe'
const FORM = /^(\d{1,15})-(?:(artifact|tracker|project)-(\d{1,15})|mails)$/

/** Signed and not stored: it works for as long as the platform knows the key. */
export function writeToken(secrets: Secrets, { account, object }: Unsubscription): string {
  const text = `${account}-${object === 'mails' ? object : `${object.kind}-${object.id}`}`
  return `${text}.${secrets.sign(PURPOSE, text)}`
}

export function readToken(secrets: Secrets, token: string): Unsubscription {
  const [text = '', signature = '', ...more] = token.split('.')
  const [, digits, kind, id] = FORM.exec(text) ?? []
  const account = Number(digits)
  const isOurs = more.length === 0 && secrets.verify(PURPOSE, text, signature)
  if (!isId<AccountId>(account) || !isOurs) throw new ApiError('not_found')
  const known = WATCHED_KINDS.find((each) => each === kind)
  return { account, object: known ? { kind: known, id: Number(id) } : 'mails' }
}

import { type NamedObject, OBJECT_KINDS } from '../../../artifacts/object-kinds.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import { isId } from '../../../platform/database/ids.ts'
import type { Secrets } from '../../../platform/operation/secrets.ts'
import { ApiError } from '../../../platform/messages/errors.ts'

/** The account and the object that an unsubscribe link mutes; `mails`: all immediate and digest mails. */
export interface Unsubscription {
  readonly account: AccountId
  readonly object: NamedObject | 'mails'
}

const PURPOSE = 'unsubscribe'
const TOKEN_PATTERN = /^(\d{1,15})-(?:(artifact|tracker|project)-(\d{1,15})|mails)$/

/** Signed and not stored: valid for as long as the platform has the key. */
export function formatUnsubscribeToken(secrets: Secrets, { account, object }: Unsubscription): string {
  const text = `${account}-${object === 'mails' ? object : `${object.kind}-${object.id}`}`
  return `${text}.${secrets.sign(PURPOSE, text)}`
}

export function parseUnsubscribeToken(secrets: Secrets, token: string): Unsubscription {
  const [text = '', signature = '', ...more] = token.split('.')
  const [, digits, kind, id] = TOKEN_PATTERN.exec(text) ?? []
  const account = Number(digits)
  const isOurs = more.length === 0 && secrets.verify(PURPOSE, text, signature)
  if (!isId<AccountId>(account) || !isOurs) throw new ApiError('not_found')
  const known = OBJECT_KINDS.find((each) => each === kind)
  return { account, object: known ? { kind: known, id: Number(id) } : 'mails' }
}

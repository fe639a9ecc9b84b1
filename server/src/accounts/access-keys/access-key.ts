import { type Id, toId } from '../../platform/database/ids.ts'

export type AccessKeyId = Id<'access_key'>

export interface AccessKey {
  prefix: string
  id: AccessKeyId
  secret: Buffer
}

const FORM = /^([a-z][a-z0-9]{1,9})-k1-([1-9]\d{0,15})\.([0-9a-f]{64})$/i

export function parseAccessKey(text: string): AccessKey | undefined {
  const [, prefix, id, secret] = FORM.exec(text) ?? []
  if (!prefix || !Number.isSafeInteger(Number(id)) || !secret) return undefined
  return { prefix: prefix.toLowerCase(), id: toId(Number(id)), secret: Buffer.from(secret, 'hex') }
}

export function formatAccessKey({ prefix, id, secret }: AccessKey): string {
  return `${prefix}-k1-${id}.${secret.toString('hex')}`
}

import { isRecord } from '../../platform/wire/schema-shape.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** A person as the provider describes them. */
export interface IdentityClaims {
  readonly subject: string
  /** Undefined: none, or none that can be an address here. */
  readonly email: string | undefined
  readonly isVerified: boolean
  readonly name: string | undefined
  readonly username: string | undefined
  /** Undefined: the provider does not say, so that memberships stay. */
  readonly groups: readonly string[] | undefined
}

const MAX_SUBJECT_LENGTH = 255
const MAX_GROUPS = 2000
const ADDRESS = /^[^\s\p{Cc}@<>()[\]",:;\\]{1,64}@[^\s\p{Cc}@<>()[\]",:;\\]+$/u
const MAX_ADDRESS_LENGTH = 254

/** Undefined: the subject has no usable form. */
export function readClaims(
  claims: Readonly<Record<string, unknown>>,
  { trusts_email, username_claim, groups_claim }: ProviderSettings,
): IdentityClaims | undefined {
  const subject = textOf(claims['sub'])
  // The texts of all providers can be stored by PostgreSQL, or they are refused here.
  if (subject === undefined || subject.length > MAX_SUBJECT_LENGTH) return undefined
  const address = textOf(claims['email'])
  const isAddress = address !== undefined && address.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(address)
  return {
    subject,
    email: isAddress ? address : undefined,
    isVerified: isAddress && (trusts_email || claims['email_verified'] === true || claims['email_verified'] === 'true'),
    name: textOf(claims['name']),
    username: textOf(claims[username_claim]),
    groups: groups_claim === null ? undefined : readGroups(claims, groups_claim),
  }
}

/** Texts only; a single text is one group. A provider with too many groups names another source instead of the claim. */
function readGroups(claims: Readonly<Record<string, unknown>>, name: string): string[] | undefined {
  const elsewhere = claims['_claim_names']
  if (claims[name] === undefined && isRecord(elsewhere) && name in elsewhere) return undefined
  const given = Array.isArray(claims[name]) ? claims[name] : [claims[name]]
  return given.flatMap((each: unknown) => textOf(each) ?? []).slice(0, MAX_GROUPS)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.includes('\0') && value.isWellFormed() ? value : undefined
}

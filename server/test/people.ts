import { formatAccessKey } from '../src/accounts/access-keys/access-key.ts'
import type { AccountStatus } from '../src/accounts/account.ts'
import { toId } from '../src/platform/database/ids.ts'
import type { AccountId } from '../src/platform/http/viewer.ts'
import type { AccessKeyId } from '../src/accounts/access-keys/access-key.ts'

/** A person of the test data: who they are to the project Orchard, and how they sign in. */
export interface Person {
  readonly id: AccountId
  readonly login: string
  readonly real_name: string
  readonly email: string
  readonly status: AccountStatus
  readonly is_site_admin: boolean
  readonly key_id: AccessKeyId
  readonly key: string
}

// Each table has its own range of ids, so that an id in the wrong place finds nothing.
let count = 0
function person(
  login: string,
  real_name: string,
  more: { status?: AccountStatus; is_site_admin?: boolean } = {},
): Person {
  count++
  const key_id = toId<AccessKeyId>(4000 + count)
  return {
    id: toId<AccountId>(1000 + count),
    login,
    real_name,
    email: `${login}.canarymail@waypost.example`,
    status: more.status ?? 'A',
    is_site_admin: more.is_site_admin ?? false,
    key_id,
    key: formatAccessKey({ prefix: 'tlp', id: key_id, secret: secretOf(key_id) }),
  }
}

export function secretOf(key: AccessKeyId): Buffer {
  return Buffer.alloc(32, key % 251)
}

export const PASSWORD = 'correct horse battery staple'

export const ADA = person('ada', 'Ada Admin', { is_site_admin: true }) // platform administrator, member of nothing
export const MARA = person('mara', 'Mara Keller') // administers Orchard
export const TOM = person('tom', 'Tom Tiller') // a plain member of Orchard
export const UMA = person('uma', 'Uma Under') // a member of Orchard, in its group `leads`
export const GUS = person('gus', 'Gus Groupie') // in the group `leads`, not a member of Orchard
export const OLGA = person('olga', 'Olga Outside') // signed in, a member of nothing
export const RITA = person('rita', 'Rita Restricted', { status: 'R' }) // restricted, a member of Quarry only
export const SAM = person('sam', 'Sam Suspended', { status: 'S' }) // suspended, was a member of Orchard
export const VICTOR = person('victor', 'Victor Vault') // the only member and administrator of Vault
export const PIA = person('pia', 'Pia Pending', { status: 'P' }) // not an account yet

export const PEOPLE: readonly Person[] = [ADA, MARA, TOM, UMA, GUS, OLGA, RITA, SAM, VICTOR, PIA]

import { GUS, MARA, OLGA, PEOPLE, type Person, PIA, RITA, TOM, UMA } from './people.ts'

/** A secret planted in the data, and who may ever receive it. */
interface Canary {
  readonly text: string
  isFor(person: Person | undefined): boolean
}

const NOBODY_OUTSIDE = [undefined, MARA, TOM, UMA, GUS, OLGA]
const CAN_ENTER_QUARRY = [RITA]

/** Planted in Vault: name, description, banner, group, label, service. */
export const VAULT_CANARY = 'canary-vault-7d1f'
/** Planted in Quarry, which Rita may enter. */
export const QUARRY_CANARY = 'canary-quarry-90aa'
/** Planted in the audit log, job payloads and settings that nobody but administrators reads. */
export const PLATFORM_CANARY = 'canary-platform-c0de'
/** In no answer to anybody: hashes of secrets. */
export const SECRET_CANARY = 'canary-secret-5ec2'

const CANARIES: readonly Canary[] = [
  { text: VAULT_CANARY, isFor: (person) => !NOBODY_OUTSIDE.includes(person) && person !== RITA },
  {
    text: QUARRY_CANARY,
    isFor: (person) => !NOBODY_OUTSIDE.includes(person) || CAN_ENTER_QUARRY.some((one) => one === person),
  },
  { text: PLATFORM_CANARY, isFor: (person) => person?.is_site_admin ?? false },
  { text: SECRET_CANARY, isFor: () => false },
  { text: '$argon2', isFor: () => false },
  // People who are not accounts yet are seen by administrators only.
  { text: PIA.real_name, isFor: (person) => (person?.is_site_admin ?? false) || person === PIA },
  // Addresses: not for anonymous and restricted viewers, except one's own.
  ...PEOPLE.map((owner) => ({
    text: owner.email,
    isFor: (person: Person | undefined) => person !== undefined && (person.status !== 'R' || person === owner),
  })),
]

/** Throws if these bytes hold something that this person may not read: called on every answer that any test gets. */
export function searchForCanaries(bytes: string, person: Person | undefined, where: string): void {
  for (const text of foreignCanaries(bytes, person))
    throw new Error(`${where} told ${person?.login ?? 'an anonymous caller'} the secret ${text}.`)
}

/** The secrets among these bytes that this person may not read, as long as nobody gives them more rights. */
export function foreignCanaries(bytes: string, person: Person | undefined): string[] {
  return CANARIES.filter((canary) => bytes.includes(canary.text) && !canary.isFor(person)).map(({ text }) => text)
}

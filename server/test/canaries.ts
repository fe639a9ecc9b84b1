import { GUS, MARA, OLGA, PEOPLE, type Person, PIA, RITA, TOM, UMA, VICTOR } from './people.ts'

/** A secret planted in the data, and who may ever receive it. */
interface Canary {
  readonly text: string
  isFor(person: Person | undefined): boolean
}

const NOBODY_OUTSIDE = [undefined, MARA, TOM, UMA, GUS, OLGA]
const CAN_ENTER_QUARRY = [RITA]
const LEAD_ORCHARD = [MARA, UMA, GUS]

/** Planted in Vault: name, description, banner, group, label, service. */
export const VAULT_CANARY = 'canary-vault-7d1f'
/** Planted in Quarry, which Rita may enter. */
export const QUARRY_CANARY = 'canary-quarry-90aa'
/** Planted in the audit log, job payloads and settings that nobody but administrators reads. */
export const PLATFORM_CANARY = 'canary-platform-c0de'
/** Planted in Bugs: the label of a field that administrators read. Who administers the tracker sees it in the definition. */
export const BUDGET_CANARY = 'canary-budget-31c8'
/** Planted in Ledger, the tracker of Orchard that few see. */
export const LEDGER_CANARY = 'canary-ledger-b00c'
/** Planted in Crates of `sight-world.ts`: what a field of this right holds, and what its definition says of it. */
export const FIELD_CANARIES = {
  users: { value: 'canary-users-value-2b1e', label: 'canary-users-label-77d0' },
  members: { value: 'canary-members-value-9c3a', label: 'canary-members-label-e41f' },
  leads: { value: 'canary-leads-value-55aa', label: 'canary-leads-label-0d9e' },
  admins: { value: 'canary-admins-value-8f20', label: 'canary-admins-label-6b7c' },
} as const
/** Planted in comments for `leads`, which who administers the tracker reads too. */
export const COMMENT_CANARY = 'canary-comment-f00d'
/** Planted in artifacts and trackers that only those see who administer Orchard. */
export const HIDDEN_CANARY = 'canary-hidden-1e57'
/** Planted in the report that Tom has made for himself: what it is called, and looks for. */
export const PRIVATE_CANARY = 'canary-private-70e5'
/** In no answer to anybody: hashes of secrets. */
const SECRET_CANARY = 'canary-secret-5ec2'

/** How a file that begins with this text begins in base64. */
export function inBase64(text: string): string {
  return Buffer.from(text.slice(0, text.length - (text.length % 3))).toString('base64')
}

const isAmong = (...people: readonly Person[]) => {
  return (person: Person | undefined) => (person?.is_site_admin ?? false) || people.some((one) => one === person)
}

/** Who reads the values of a field; the definition of it is also for Mara, who administers the tracker. */
const READERS = {
  users: [MARA, TOM, UMA, GUS, OLGA, VICTOR],
  members: [MARA, TOM, UMA],
  leads: [UMA, GUS],
  admins: [MARA],
} as const

const CANARIES: readonly Canary[] = [
  ...Object.entries(READERS).flatMap(([right, readers]) =>
    Object.entries(FIELD_CANARIES)
      .filter(([each]) => each === right)
      .flatMap(([, { value, label }]) => [
        { text: value, isFor: isAmong(...readers) },
        { text: inBase64(value), isFor: isAmong(...readers) },
        { text: label, isFor: isAmong(...readers, MARA) },
      ]),
  ),
  { text: COMMENT_CANARY, isFor: isAmong(...LEAD_ORCHARD) },
  { text: HIDDEN_CANARY, isFor: isAmong(MARA) },
  { text: VAULT_CANARY, isFor: (person) => !NOBODY_OUTSIDE.includes(person) && person !== RITA },
  {
    text: QUARRY_CANARY,
    isFor: (person) => !NOBODY_OUTSIDE.includes(person) || CAN_ENTER_QUARRY.some((one) => one === person),
  },
  ...[BUDGET_CANARY, LEDGER_CANARY].map((text) => ({
    text,
    isFor: (person: Person | undefined) =>
      (person?.is_site_admin ?? false) || LEAD_ORCHARD.some((one) => one === person),
  })),
  { text: PRIVATE_CANARY, isFor: (person) => person === TOM },
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

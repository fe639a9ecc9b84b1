import { groupDn, groupLdif, personDn, personLdif } from '../../server/test/fixtures/directory-people.ts'

export interface DirectorySize {
  readonly people: number
  readonly groups: number
}

/** Direct members of a group. */
const MEMBERS = 30
/** Every group of this number contains the next two, so that some are nested. */
const NESTING = 5

/** People, and groups of people and groups, the same for the same size. */
export function largeDirectory({ people, groups }: DirectorySize): string {
  const parts: string[] = []
  for (let number = 0; number < people; number++)
    parts.push(
      personLdif({ login: loginOf(number), name: `Person ${number}`, email: `${loginOf(number)}@orchard.example` }),
    )
  for (let number = 0; number < groups; number++) {
    const members = Array.from({ length: MEMBERS }, (_, index) =>
      personDn(loginOf((number * MEMBERS * 7 + index * 13) % people)),
    )
    const nested = number % NESTING === 0 ? [1, 2].map((step) => groupDn(`group${(number + step) % groups}`)) : []
    parts.push(groupLdif(`group${number}`, [...new Set([...members, ...nested])]))
  }
  return parts.join('\n')
}

function loginOf(number: number): string {
  return `person${number}`
}

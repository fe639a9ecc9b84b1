export interface DemoPerson {
  readonly username: string
  readonly real_name: string
  readonly site_admin: boolean
}

const person = (username: string, real_name: string, site_admin = false): DemoPerson => ({
  username,
  real_name,
  site_admin,
})

/** The team, a site administrator, and Olga, who is a member of no project. */
export const DEMO_PEOPLE: readonly DemoPerson[] = [
  person('ada', 'Ada Lindqvist', true),
  person('mara', 'Mara Keller'),
  person('tom', 'Tom Becker'),
  person('priya', 'Priya Nair'),
  person('jonas', 'Jonas Weber'),
  person('lena', 'Lena Brandt'),
  person('samuel', 'Samuel Okafor'),
  person('olga', 'Olga Petrova'),
]

export const DEMO_TEAM = ['mara', 'tom', 'priya', 'jonas', 'lena', 'samuel'] as const

export function demoPassword(username: string): string {
  return `demo-password-of-${username}`
}

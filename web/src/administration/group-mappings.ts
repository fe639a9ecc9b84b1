import type { IdentityProvider } from '@waypost/sdk/api'

type GroupMapping = IdentityProvider['group_mappings'][number]

/** One mapping per line: `staff = 101_3`. */
export function printMappings(mappings: readonly GroupMapping[]): string {
  return mappings.map(({ value, user_group }) => `${value} = ${user_group}`).join('\n')
}

/** The mappings, or the number of the first line that is none. The last `=` separates: names at providers may have one. */
export function parseMappings(typed: string): { mappings: GroupMapping[] } | { wrongLine: number } {
  const mappings: GroupMapping[] = []
  for (const [index, line] of typed.split('\n').entries()) {
    if (line.trim() === '') continue
    const [, value = '', user_group = ''] = /^(.+)=\s*(\d{3,}(?:_[34])?)\s*$/.exec(line) ?? []
    if (value.trim() === '') return { wrongLine: index + 1 }
    mappings.push({ value: value.trim(), user_group })
  }
  return { mappings }
}

import { fold } from '../../login.ts'
import { normalizeDn } from '../normalize-dn.ts'
import type { DirectoryGroup } from './read-groups.ts'

/**
 * The members of a group and of groups inside of it, as normalized DNs or folded logins. Each group is visited once, so
 * that cycles end; `maxDepth` 0 are the direct members.
 */
export function resolveMembers(
  groups: ReadonlyMap<string, DirectoryGroup>,
  group: DirectoryGroup,
  maxDepth: number,
): Set<string> {
  const members = new Set<string>()
  const visited = new Set([group.dn])
  let level: DirectoryGroup[] = [group]
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const next: DirectoryGroup[] = []
    for (const { members: given } of level)
      for (const member of given) {
        const name = normalizeDn(member) ?? fold(member)
        const nested = groups.get(name)
        if (!nested) members.add(name)
        else if (!visited.has(name)) {
          visited.add(name)
          next.push(nested)
        }
      }
    level = next
  }
  return members
}

/** The group that a mapping names: by its DN, or by a `cn` that only one group has. */
export function findMappedDirectoryGroup(
  groups: ReadonlyMap<string, DirectoryGroup>,
  value: string,
): DirectoryGroup | undefined {
  if (value.includes('=')) return groups.get(normalizeDn(value) ?? '')
  const wanted = fold(value)
  const [found, another] = groups
    .values()
    .filter(({ name }) => name !== undefined && fold(name) === wanted)
    .take(2)
  return another ? undefined : found
}

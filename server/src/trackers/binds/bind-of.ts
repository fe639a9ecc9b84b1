import type { Bind, Element } from '../tracker.ts'
import type { BoundList } from './bound-list.ts'
import { groupsList } from './groups-bind.ts'
import { staticList } from './static-bind.ts'
import { peopleList } from './users-bind.ts'

/** The bound list for the bind of a list field. */
export function bindOf({ id, bind }: Element): BoundList {
  if (!bind) throw new Error(`The list ${id} has no bind.`)
  const bound = boundListCache.get(bind) ?? makeBound(bind)
  boundListCache.set(bind, bound)
  return bound
}

// Cache: binds are immutable, and every list value of every artifact needs its bound list.
const boundListCache = new WeakMap<Bind, BoundList>()

function makeBound(bind: Bind): BoundList {
  if (bind.type === 'static') return staticList(bind)
  return bind.type === 'users' ? peopleList(bind) : groupsList(bind)
}

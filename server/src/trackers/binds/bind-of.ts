import type { Bind, Element } from '../tracker.ts'
import type { BoundList } from './bound-list.ts'
import { groupsList } from './groups-bind.ts'
import { staticList } from './static-bind.ts'
import { peopleList } from './users-bind.ts'

/** What the list takes its values from. */
export function bindOf({ id, bind }: Element): BoundList {
  if (!bind) throw new Error(`The list ${id} has no bind.`)
  const bound = memory.get(bind) ?? makeBound(bind)
  memory.set(bind, bound)
  return bound
}

// A bind never changes, and every value of every artifact asks for it.
const memory = new WeakMap<Bind, BoundList>()

function makeBound(bind: Bind): BoundList {
  if (bind.type === 'static') return staticList(bind)
  return bind.type === 'users' ? peopleList(bind) : groupsList(bind)
}

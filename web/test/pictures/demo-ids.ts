import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { DemoIds } from './demo-screens.ts'
import type { DemoSite } from './demo-site.ts'

const Named = Type.Array(Type.Object({ id: Type.Integer(), label: Type.String() }))
const Titled = Type.Array(Type.Object({ id: Type.Integer(), title: Type.Union([Type.String(), Type.Null()]) }))

export async function findDemoIds(site: DemoSite): Promise<DemoIds> {
  const projects = Parse(Named, await site.read('tom', '/projects'))
  const trackers = Parse(Named, await site.read('tom', `/projects/${idOf(projects, 'Payments')}/trackers`))
  const bugs = idOf(trackers, 'Bugs')
  const artifacts = Parse(Titled, await site.read('tom', `/trackers/${bugs}/artifacts?limit=100`))
  const bug = artifacts.find(({ title }) => title?.startsWith('Card is charged twice'))
  if (!bug) throw new Error('The demo data have no bug about double charges.')
  return { tasks: idOf(trackers, 'Tasks'), bugs, bug: bug.id }
}

function idOf(all: readonly { id: number; label: string }[], label: string): number {
  const found = all.find((one) => one.label === label)
  if (!found) throw new Error(`The demo data have no ${label}.`)
  return found.id
}

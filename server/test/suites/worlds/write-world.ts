import type { RepeatableRandom } from '../fuzz/random.ts'
import type { Canary, World } from './canaries.ts'
import { type Block, call, BLOCK_FIELDS, type WorldEnvironment } from './fixture.ts'

/** Writes four artifacts full of canaries, with links between the two projects. `name` is part of every canary. */
export async function writeWorld(
  { api }: WorldEnvironment,
  block: Block,
  number: number,
  name: string,
  random: RepeatableRandom,
): Promise<World> {
  const planted: Omit<Canary, 'world'>[] = []
  const plant = (text: string, isOwnField: boolean, home: Canary['home'] = 'artifact') => {
    planted.push({ text, isOwnField, home })
    return text
  }
  for (const label of block.labels.own) plant(label, true, 'place')
  for (const label of block.labels.foreign) plant(label, false, 'place')
  const values = (of: string, isOwn: boolean, home?: Canary['home']) => ({
    summary: plant(`cw-summary-${name}-${of}`, isOwn, home),
    ...Object.fromEntries(BLOCK_FIELDS.map((field) => [field, plant(`cw-${field}-${name}-${of}`, isOwn, home)])),
  })
  // Different in every world. The sum of both differs from each, so that a total says which children it counts.
  const [far, near] = [500_000_000, 400_000_000].map((base) => base + number * 1000 + random.integer(0, 999))
  plant(String(far), false)
  plant(String(near), true)
  plant(String(Number(far) + Number(near)), false)
  const create = async (tracker: number, values_by_field: object): Promise<number> => {
    const { id } = await call(api, 'POST', '/artifacts', { tracker: { id: tracker }, values_by_field })
    plant(`artifacts/${id}`, tracker === block.left)
    return id
  }
  const foreign = await create(block.right, { ...values('foreign', false), effort: far })
  const child = await create(block.left, { ...values('child', true), effort: near })
  const links = [foreign, child].map((id) => ({ id, type: random.pick(['_is_child', '']) }))
  const main = await create(block.left, { ...values('main', true, 'history'), links: { links } })
  const referrer = await create(block.right, {
    summary: `see art #${main}`,
    links: { links: [{ id: main, type: '' }] },
  })
  const again = { ...values('again', true), two: `art #${foreign}` }
  const body = plant(`cw-comment-${name}`, false, 'history')
  const comment = { body, format: 'text', ugroups: [String(block.site.left.group)] }
  await call(api, 'PUT', `/artifacts/${main}`, { values_by_field: again, comment })
  const canaries: Canary[] = []
  const world: World = { number, block, main, foreign, child, referrer, canaries }
  for (const canary of planted) canaries.push({ ...canary, world })
  return world
}

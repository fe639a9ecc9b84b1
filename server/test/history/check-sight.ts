import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { type Person, TOM } from '../people.ts'
import { succeed, type VersionRow, written } from './look.ts'
import type { Stage } from './play-edits.ts'

/**
 * Checks that somebody who sees less is shown exactly the versions that show him something. What that is is worked out
 * from his own answers: whether two versions that follow each other look different to him.
 */
export async function checkSight({ api }: Stage, id: number, history: readonly VersionRow[]): Promise<void> {
  const [shown, commented]: [number[], number[]] = [[], []]
  let before: unknown
  for (const { version, comment, comment_groups } of history) {
    const { json } = await succeed(api.get(`/artifacts/${id}?version=${version}`, { as: TOM }))
    const values = written(json.values)
    const isTold = comment !== null && comment_groups === null
    if (isTold) commented.push(version)
    if (version === 1 || isTold || !isDeepStrictEqual(values, before)) shown.push(version)
    before = values
  }
  assert.deepEqual(await page(api, id, '', TOM), shown)
  assert.deepEqual(await page(api, id, 'order=desc', TOM), shown.toReversed())
  assert.deepEqual(await page(api, id, 'fields=comments', TOM), commented)
}

/** The numbers of all versions of a list, read page by page along the links; each page has to be full. */
async function page(api: Stage['api'], id: number, query: string, as: Person): Promise<number[]> {
  const numbers: number[] = []
  let size: number | undefined
  let next: string | undefined = `/api/artifacts/${id}/changesets?${query}&limit=7`
  while (next !== undefined) {
    const { headers, json } = await succeed(api.get(next, { as }))
    const versions: readonly { version: number }[] = json
    numbers.push(...versions.map(({ version }) => version))
    size ??= Number(headers['x-pagination-size'])
    assert.equal(Number(headers['x-pagination-size']), size)
    next = /<([^>]+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1]
    assert(next === undefined || versions.length === 7, `A page in the middle has ${versions.length} versions.`)
  }
  assert.equal(numbers.length, size)
  return numbers
}

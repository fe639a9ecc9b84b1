import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { type TestPerson, TOM } from '../../fixtures/people.ts'
import { expectStatus, type StoredVersion, writtenEntries } from './observe-artifact.ts'
import type { HistoryFixture } from './play-edits.ts'

/**
 * Checks that a viewer with fewer permissions sees exactly the versions with a visible change. The expectation is
 * derived from the viewer's own responses: whether two consecutive versions differ.
 */
export async function checkVisibleVersions(
  { api }: HistoryFixture,
  id: number,
  history: readonly StoredVersion[],
): Promise<void> {
  const [shown, commented]: [number[], number[]] = [[], []]
  let before: unknown
  for (const { version, comment, comment_groups } of history) {
    const { status, json } = await api.get(`/artifacts/${id}?version=${version}`, { as: TOM })
    const hasVisibleComment = comment !== null && comment_groups === null
    if (status === 404 && version > 1 && !hasVisibleComment) continue // It has no visible change, so it is not found.
    assert.equal(status, 200)
    const values = writtenEntries(json.values)
    if (hasVisibleComment) commented.push(version)
    if (version === 1 || hasVisibleComment || !isDeepStrictEqual(values, before)) shown.push(version)
    before = values
  }
  assert.deepEqual(await page(api, id, '', TOM), shown)
  assert.deepEqual(await page(api, id, 'order=desc', TOM), shown.toReversed())
  assert.deepEqual(await page(api, id, 'fields=comments', TOM), commented)
}

/** The numbers of all versions of a list, read along the pagination links; each page must be full. */
async function page(api: HistoryFixture['api'], id: number, query: string, as: TestPerson): Promise<number[]> {
  const numbers: number[] = []
  let size: number | undefined
  let next: string | undefined = `/api/artifacts/${id}/changesets?${query}&limit=7`
  while (next !== undefined) {
    const { headers, json } = await expectStatus(api.get(next, { as }))
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

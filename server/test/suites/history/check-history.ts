import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../src/platform/database/db.ts'
import { MARA } from '../../fixtures/people.ts'
import {
  keptEntries,
  readStoredHistory,
  readStoredRow,
  expectStatus,
  unordered,
  type StoredVersion,
  writtenEntries,
} from './observe-artifact.ts'
import type { Played, HistoryFixture } from './play-edits.ts'

/** Checks that replaying the stored history gives the stored row, and that it holds nothing else. */
export async function checkStored(db: Db, id: number): Promise<readonly StoredVersion[]> {
  const history = await readStoredHistory(db, id)
  let values: Record<string, unknown> = {}
  for (const [at, { version, changes, on, second }] of history.entries()) {
    assert.equal(version, at + 1)
    for (const [field, stored] of Object.entries(changes))
      assert(
        !(field in values) || !isDeepStrictEqual(unordered(values[field]), unordered(stored)),
        `Version ${version} says that field ${field} has changed: ${JSON.stringify(stored)}`,
      )
    const before = history[at - 1]
    assert(!before || before.on < on, `Version ${version} is of ${on}, the one before of ${before?.on}.`)
    assert(!before || before.second < second, `Version ${version} shares the second ${second}.`)
    assert(second.endsWith('.000000Z'), `${second} is no whole second.`)
    values = { ...values, ...changes }
  }
  const row = await readStoredRow(db, id)
  const last = history.at(-1)
  assert.deepEqual(values, row.field_values)
  assert.deepEqual([last?.version, last?.on, last?.second], [row.version, row.on, row.second])
  return history
}

/** Checks that every past version still reads as when it was the last one, and that changesets list the changes. */
export async function checkAnswers(
  { api }: HistoryFixture,
  { id, moments }: Played,
  history: readonly StoredVersion[],
) {
  assert.deepEqual(
    [...moments.keys()],
    history.map(({ version }) => version),
  )
  const changesets = await listAll(api, id)
  assert.deepEqual(
    changesets.map(({ version }) => version),
    [...moments.keys()],
  )
  for (const [version, moment] of moments) {
    const past = await expectStatus(api.get(`/artifacts/${id}?version=${version}`, { as: MARA }))
    assert.deepEqual(keptEntries(past.json.values), keptEntries(moment.values))
    assert.equal(past.json.version, version)
    assert.equal(past.headers['last-modified'], moment.last_modified)
    const changeset = changesets[version - 1]
    assert(changeset)
    assert.deepEqual(writtenEntries(changeset.values), writtenEntries(moment.values))
    checkDiff(changeset, changesets[version - 2])
    assert.deepEqual(
      changeset.changes.map(({ field_id }) => String(field_id)).toSorted(),
      Object.keys(history[version - 1]?.changes ?? {}).toSorted(),
    )
  }
  for (const { version, on } of history) if (version % 5 === 1) await checkInstant(api, id, version, on)
}

type Api = HistoryFixture['api']
type Values = Parameters<typeof keptEntries>[0]

interface ChangesetJson {
  readonly id: number
  readonly version: number
  readonly values: Values
  readonly changes: readonly { readonly field_id: number; readonly before: unknown; readonly after: unknown }[]
}

async function listAll(api: Api, id: number): Promise<ChangesetJson[]> {
  const all: ChangesetJson[] = []
  let size = 1
  while (all.length < size) {
    const page = await expectStatus(
      api.get(`/artifacts/${id}/changesets?diff=true&limit=50&offset=${all.length}`, { as: MARA }),
    )
    size = Number(page.headers['x-pagination-size'])
    assert(page.json.length > 0, `A page is empty, but ${size} versions are promised.`)
    all.push(...page.json)
  }
  return all
}

/** Exactly the fields with different values are listed, each with its old and new value. */
function checkDiff({ version, changes, values }: ChangesetJson, before: ChangesetJson | undefined): void {
  const changedFields = new Set(changes.map(({ field_id }) => field_id))
  const [was, is] = [writtenEntries(before?.values ?? []), writtenEntries(values)]
  for (const field_id of new Set([...was, ...is].map((entry) => entry.field_id))) {
    const [one, other] = [was, is].map((entries) => entries.find((entry) => entry.field_id === field_id))
    assert(
      !before || changedFields.has(field_id) || isDeepStrictEqual(one, other),
      `Version ${version} does not tell that field ${field_id} has changed.`,
    )
  }
  for (const change of changes) {
    const entryIn = (entries: Values = []) => entries.find(({ field_id }) => field_id === change.field_id)
    assert.deepEqual(change.before, bare(entryIn(before?.values)))
    assert.deepEqual(change.after, bare(entryIn(values)))
  }
}

function bare(entry: Values[number] | undefined): unknown {
  if (!entry) return null
  const { field_id: _, type, label: __, ...members } = entry
  // Incoming links are not changes of this artifact.
  if (type === 'art_link') return { ...members, reverse_links: [] }
  return Object.keys(members).length === 1 && 'value' in members ? members['value'] : members
}

/** A version starts at its microsecond, and not one earlier. */
async function checkInstant(api: Api, id: number, version: number, on: string): Promise<void> {
  const there = await expectStatus(api.get(`/artifacts/${id}?at=${on}`, { as: MARA }))
  assert.equal(there.json.version, version)
  const before = await api.get(`/artifacts/${id}?at=${microsecondBefore(on)}`, { as: MARA })
  if (version === 1) assert.equal(before.status, 404, before.text)
  else assert.equal(before.json.version, version - 1)
}

function microsecondBefore(on: string): string {
  const micros = BigInt(Date.parse(`${on.slice(0, 19)}Z`)) * 1000n + BigInt(on.slice(20, 26)) - 1n
  const seconds = new Date(Number(micros / 1_000_000n) * 1000).toISOString().slice(0, 19)
  return `${seconds}.${String(micros % 1_000_000n).padStart(6, '0')}Z`
}

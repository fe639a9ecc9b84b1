import type { TestClient } from '../../harness/client.ts'
import { ADA, ALL_PEOPLE } from '../../fixtures/people.ts'
import type { GeneratedArtifact, FieldState } from './generate-history.ts'

const MAX_SHOWN_DIFFERENCES = 20
const CONCURRENT_READS = 4

interface ShownVersion {
  readonly version: number
  readonly submitted_by: number
  readonly submitted_on: string
  readonly last_comment: { readonly body: string }
  readonly values: readonly Readonly<Record<string, unknown>>[]
  readonly imported_by?: { readonly id: number } | null
  readonly source?: string
}

/** Reads every artifact and its history over HTTP, and returns the differences to what was sent. */
export async function compareHistories(
  api: TestClient,
  artifacts: Iterable<GeneratedArtifact>,
  source: string,
): Promise<{ readonly versions: number; readonly count: number; readonly shown: readonly string[] }> {
  const shown: string[] = []
  let [versions, count] = [0, 0]
  const say = (what: string) => {
    count++
    if (shown.length < MAX_SHOWN_DIFFERENCES) shown.push(what)
  }
  const left = artifacts[Symbol.iterator]()
  const read = async () => {
    for (let next = left.next(); !next.done; next = left.next()) {
      versions += next.value.versions.length
      await compareOne(api, next.value, source, say)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_READS }, read))
  return { versions, count, shown }
}

async function compareOne(
  api: TestClient,
  { id, key, versions }: GeneratedArtifact,
  source: string,
  say: (what: string) => void,
): Promise<void> {
  const { status, text, json: artifact } = await api.get(`/artifacts/@${key}`, { as: ADA })
  if (status !== 200) return say(`${key}: ${text}`)
  const { json: history } = await api.get(`/artifacts/${id}/changesets?limit=50`, { as: ADA })
  const read: readonly ShownVersion[] = history
  const compare = (what: string, is: unknown, sent: unknown) => {
    if (is !== sent) say(`${key}, ${what}: ${String(is)} instead of ${String(sent)}`)
  }
  const [first, last] = [versions[0], versions.at(-1)]
  compare('id', artifact.id, id)
  compare('submitted by', artifact.submitted_by, idOf(first?.author))
  compare('submitted on', artifact.submitted_on, toSecond(first?.time))
  compare('last update by', artifact.last_update_by, idOf(last?.author))
  compare('last update on', artifact.last_modified_date, toSecond(last?.time))
  compare('values', sorted(stateOf(artifact.values)), sorted(last?.state ?? {}))
  compare('versions', read.length, versions.length)
  for (const [at, sent] of versions.entries()) {
    const is = read[at]
    compare(`version ${at + 1}`, is?.version, at + 1)
    compare(`author of ${at + 1}`, is?.submitted_by, idOf(sent.author))
    compare(`time of ${at + 1}`, is?.submitted_on, toSecond(sent.time))
    compare(`comment of ${at + 1}`, is?.last_comment.body, sent.comment)
    compare(`values of ${at + 1}`, sorted(stateOf(is?.values ?? [])), sorted(sent.state))
    compare(`importer of ${at + 1}`, is?.imported_by?.id, ADA.id)
    compare(`source of ${at + 1}`, is?.source, source)
  }
}

function idOf(login: string | undefined): number | undefined {
  return ALL_PEOPLE.find((person) => person.login === login)?.id
}

function toSecond(time: Date | undefined): string | undefined {
  return time && `${time.toISOString().slice(0, 19)}+00:00`
}

function sorted(state: FieldState): string {
  return JSON.stringify(Object.entries(state).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The values of an answer as text, by the label of the field, which is its name here. */
function stateOf(values: readonly Readonly<Record<string, unknown>>[]): FieldState {
  const entries = values.flatMap((value) => {
    const text = FIELDS[String(value['label'])]?.(value)
    return text === undefined || text === '' ? [] : [[String(value['label']), text] as const]
  })
  return Object.fromEntries(entries)
}

const toText = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const plain = ({ value }: Readonly<Record<string, unknown>>) => toText(value)
const labelled = (member: string, name: string) => (value: Readonly<Record<string, unknown>>) =>
  namesIn(value[member], name).toSorted().join()

const FIELDS: Readonly<Record<string, (value: Readonly<Record<string, unknown>>) => string>> = {
  summary: plain,
  details: ({ commonmark }) => toText(commonmark),
  points: plain,
  effort: plain,
  due: (value) => plain(value).slice(0, 10),
  status: labelled('values', 'label'),
  fruits: labelled('values', 'label'),
  assigned_to: labelled('values', 'username'),
  tags: labelled('bind_value_objects', 'label'),
  links: labelled('links', 'id'),
}

function namesIn(list: unknown, name: string): string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((each: unknown) => {
    const found =
      typeof each === 'object' && each !== null ? new Map<string, unknown>(Object.entries(each)).get(name) : null
    return toText(found) === '' ? [] : [toText(found)]
  })
}

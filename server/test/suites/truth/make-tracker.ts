import { type OracleApi, type OracleReply, requireSuccess } from './api.ts'
import { definitionDocument, HIDDEN_LATER, UNUSED, type PlannedField, type PlannedTracker } from './definitions.ts'
import { type OracleArtifact, type OracleField, lastVersion, type OracleOption, type OracleTracker } from './model.ts'

interface FieldJson {
  readonly field_id: number
  readonly name: string
  readonly values: readonly OptionJson[] | null
}

interface OptionJson {
  readonly id: number | string
  readonly label: string
  readonly ugroup_reference?: { readonly short_name: string }
}

export async function createOracleTracker(
  place: { api: OracleApi; project: number },
  planned: PlannedTracker,
): Promise<OracleTracker> {
  const body = JSON.stringify(definitionDocument(planned))
  const made = await requireSuccess(place.api.send('POST', `/projects/${place.project}/trackers`, { as: 'mara', body }))
  const { title, description, status, contributor, access, item_name } = planned
  return {
    id: made.json.id,
    item_name,
    access,
    unused: UNUSED,
    title,
    contributor,
    ...(description !== undefined && { description }),
    ...(status && { status }),
    fields: await readFields(place.api, made.json.id, planned.fields),
  }
}

/** A site administrator reads them all. */
async function readFields(api: OracleApi, tracker: number, planned: readonly PlannedField[]): Promise<OracleField[]> {
  const { json }: OracleReply = await requireSuccess(api.send('GET', `/trackers/${tracker}`, { as: 'ada' }))
  const found: readonly FieldJson[] = json.fields
  return planned.map(({ name, type, kind, readers }) => {
    const field = found.find((each) => each.name === name)
    if (!field) throw new Error(`There is no field ${name}.`)
    const isList = kind === 'static' || kind === 'users' || kind === 'groups' || kind === 'open'
    const options = isList && Array.isArray(field.values) ? field.values.map(optionOf) : []
    const isMultiple = ['msb', 'cb', 'tbl'].includes(type)
    return { name, type, kind, readers, isMultiple, id: field.field_id, options }
  })
}

function optionOf({ id, label, ugroup_reference }: OptionJson): OracleOption {
  return { id, label: ugroup_reference?.short_name ?? label }
}

/** Hides a list value; artifacts keep it, but it can no longer be selected. */
export async function hideValue(api: OracleApi, tracker: OracleTracker): Promise<void> {
  const path = `/trackers/${tracker.id}/definition`
  const { json } = await requireSuccess(api.send('GET', path, { as: 'mara' }))
  const elements: readonly { name: string; bind?: { values: { label: string; hidden?: boolean }[] } }[] = json.elements
  for (const { name, bind } of elements)
    for (const value of bind?.values ?? [])
      if (name === HIDDEN_LATER.field && value.label === HIDDEN_LATER.label) value.hidden = true
  await requireSuccess(api.send('PUT', path, { as: 'mara', body: JSON.stringify(json) }))
}

type Known = { -readonly [Member in keyof OracleArtifact]: OracleArtifact[Member] }

interface ArtifactJson {
  readonly id: number
  readonly submitted_on: string
  readonly last_modified_date: string
  readonly values: readonly { readonly type: string; readonly value: number }[]
}

/**
 * Reads server-assigned data: numbers, ranks and ids of added list values. Known data must agree: the times of the
 * first and the last version, and the number of artifacts.
 */
export async function readBack(
  api: OracleApi,
  tracker: OracleTracker,
  artifacts: readonly Known[],
  planned: PlannedTracker,
): Promise<OracleTracker> {
  const known = { ...tracker, fields: await readFields(api, tracker.id, planned.fields) }
  const own = artifacts.filter((artifact) => artifact.tracker === tracker && !artifact.isDeleted)
  for (const artifact of artifacts) if (artifact.tracker === tracker) artifact.tracker = known
  const rows: ArtifactJson[] = []
  for (let offset = 0; offset === 0 || offset < own.length; offset += 500) {
    const path = `/trackers/${tracker.id}/artifacts?values=all&limit=500&offset=${offset}`
    rows.push(...(await requireSuccess(api.send('GET', path, { as: 'ada' }))).json)
  }
  if (rows.length !== own.length) throw new Error(`There are ${rows.length} artifacts, and not ${own.length}.`)
  for (const artifact of own) {
    const row = rows.find(({ id }) => id === artifact.id)
    const numberOf = (type: string) => row?.values.find((each) => each.type === type)?.value ?? 0
    const [first, last] = [artifact.versions[0].at, lastVersion(artifact).at]
    if (!row || !isSecond(row.submitted_on, first) || !isSecond(row.last_modified_date, last))
      throw new Error(`Artifact ${artifact.id} is not what was written: ${JSON.stringify([row, artifact.versions])}`)
    artifact.number = numberOf('atid')
    artifact.rank = numberOf('priority')
  }
  return known
}

function isSecond(written: string, at: number): boolean {
  return Date.parse(written) === Math.floor(at / 1000) * 1000
}

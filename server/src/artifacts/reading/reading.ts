import { representUserMinimal } from '../../accounts/users/user.ts'
import type { UserFull } from '../../accounts/users/schemas.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { Catalogue } from '../../platform/words/catalogue.ts'
import { type KnownNames, linkReferencesOf } from '../../projects/references/link-references.ts'
import { itemNamesSeen } from '../../trackers/item-names.ts'
import { groupIn } from '../../trackers/groups-of-tracker.ts'
import type { LinkJson, Reading } from '../../trackers/fields/field-type.ts'
import type { Element } from '../../trackers/tracker.ts'
import { crossReferences } from '../links/cross-references.ts'
import { findIncoming } from '../links/incoming-references.ts'
import type { FoundArtifact, LinkRow } from './find-artifact.ts'
import { computeCharts } from './charts.ts'
import { findShownFiles } from './shown-files.ts'
import { computeSums, type Sums } from './sums.ts'

type Platform = Pick<Context, 'config' | 'settings'>

/** Whoever shows an artifact, and to whom. */
export interface Audience {
  readonly context: Context
  readonly db: Db | Tx
  readonly viewer: Viewer
  readonly language: Catalogue
}

/** What the values of these fields of an artifact are shown with; what none of them asks for is not made. */
export async function readingOf(
  audience: Audience,
  found: FoundArtifact,
  fields: readonly Element[] = found.sight.readable,
): Promise<Reading> {
  const has = (...types: string[]) => fields.some(({ type }) => types.includes(type))
  const sums = has('computed') ? await computeSums(audience, [found]) : undefined
  const charts = has('burndown', 'burnup') ? await computeCharts(audience, found) : undefined
  const incoming = await findIncoming(audience, has('cross') ? [found.artifact.id] : [])
  const references = has('cross') ? await crossReferences(audience, found, incoming(found.artifact.id)) : []
  const file = await findShownFiles(audience, fields, [found.artifact.field_values])
  return readingWith(audience, found, { sums: sums?.get(found.artifact.id), charts, references, file })
}

/** The same for several, with as many statements as for one; `charts`: where they are wanted, which takes some for each. */
export async function readingsOf(
  audience: Audience,
  artifacts: readonly FoundArtifact[],
  { charts }: { readonly charts: boolean },
): Promise<readonly Reading[]> {
  const sums = await computeSums(audience, artifacts)
  const file = await findShownFiles(
    audience,
    new Set(artifacts.flatMap(({ sight }) => sight.readable)),
    artifacts.map(({ artifact }) => artifact.field_values),
  )
  const referring = artifacts.filter(({ sight }) => sight.readable.some(({ type }) => type === 'cross'))
  const incoming = await findIncoming(
    audience,
    referring.map(({ artifact }) => artifact.id),
  )
  const readings: Reading[] = []
  for (const found of artifacts) {
    const made = {
      sums: sums.get(found.artifact.id),
      charts: charts ? await computeCharts(audience, found) : undefined,
      references: await crossReferences(audience, found, incoming(found.artifact.id)),
      file,
    }
    readings.push(readingWith(audience, found, made))
  }
  return readings
}

const OF_MORE: ReadonlySet<string> = new Set(['art_link', 'cross', 'computed', 'burndown', 'burnup', 'file', 'text'])

/** Whether the values of a field are shown by what the row of the artifact has, and by nothing that depends on the viewer. */
export function isShownByItself({ type }: Element): boolean {
  return !OF_MORE.has(type)
}

/** For values of such fields alone, without a statement: what others show by it is not theirs. */
export function plainReading(audience: Audience, found: FoundArtifact): Reading {
  return readingWith(audience, found, { sums: undefined, charts: undefined, references: [], file: () => undefined })
}

interface Made {
  readonly sums: Sums | undefined
  readonly charts: Awaited<ReturnType<typeof computeCharts>> | undefined
  readonly references: Reading['references']
  readonly file: Reading['file']
}

function readingWith(
  { context, viewer, language }: Audience,
  found: FoundArtifact,
  { sums, charts, references, file }: Made,
): Reading {
  const { artifact, sight } = found
  const { tracker } = sight
  const people = new Map<AccountId, UserFull>(
    found.people.map((row) => [row.id, representPerson(context, viewer, row)]),
  )
  return {
    context,
    viewer,
    language,
    tracker,
    facts: artifact,
    values: artifact.field_values,
    user: (id) => people.get(id),
    group: (group) => groupIn(tracker, group, language),
    linked: (html) => linkReferencesOf(context.referenceKinds, tracker.project, html, namesIn(found)),
    links: { forward: found.forward.map(linkJson), reverse: found.reverse.map(linkJson) },
    references,
    sum: (field) => sums?.get(field) ?? null,
    burndown: (field) => charts?.get(field),
    burnup: (field) => charts?.get(field),
    file,
  }
}

/** Words and projects that references in the texts of an artifact may name, as far as the viewer may know them. */
function namesIn({ sight, outgoing }: Pick<FoundArtifact, 'sight' | 'outgoing'>): KnownNames {
  const { id, shortname } = sight.tracker.project
  const others = outgoing.flatMap(({ ref, of_project }) => {
    const [, name, ...value] = ref.split(/[#:]/) // `art #orchard:12`
    return name === undefined || value.length === 0 ? [] : [[name.toLowerCase(), of_project] as const]
  })
  return { itemNames: itemNamesSeen(sight), projects: new Map([...others, [shortname.toLowerCase(), id]]) }
}

/** The form of people inside values: addresses and states are not for everybody. */
export function representPerson(context: Platform, viewer: Viewer, row: FoundArtifact['people'][number]): UserFull {
  const told = viewer.account_id !== undefined && !viewer.is_restricted
  return {
    ...representUserMinimal(context, row),
    email: told ? row.email : null,
    status: told ? row.status : null,
  }
}

export function linkJson({ id, type, tracker, project }: LinkRow): LinkJson {
  return {
    id,
    uri: `artifacts/${id}`,
    tracker: {
      id: tracker.id,
      uri: `trackers/${tracker.id}`,
      label: tracker.label,
      color: tracker.color_name,
      project: { id: project.id, uri: `projects/${project.id}`, label: project.label, icon: project.icon },
    },
    type,
  }
}

import { representUserMinimal } from '../../accounts/users/user.ts'
import type { UserFull } from '../../accounts/users/schemas.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { gotoPath } from '../../projects/references/goto-path.ts'
import { type KnownNames, linkProjectReferences } from '../../projects/references/link-references.ts'
import { itemNamesSeen } from '../../trackers/item-names.ts'
import { groupIn } from '../../trackers/groups-of-tracker.ts'
import type { LinkJson, ReadContext, ReadNeed } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { Element } from '../../trackers/tracker.ts'
import { crossReferences, keyReferences } from '../links/cross-references.ts'
import { findIncoming } from '../links/incoming-references.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { LinkRow } from './look-rows.ts'
import type { Audience } from './audience.ts'
import { computeCharts } from './charts.ts'
import { findShownFiles } from './shown-files.ts'
import { computeSums, type Sums } from './sums.ts'

type Platform = Pick<Context, 'config' | 'settings'>

/** The read context for these fields of an artifact; loads only what they need. */
export async function buildReadContext(
  audience: Audience,
  found: FoundArtifact,
  fields: readonly Element[] = found.access.readable,
): Promise<ReadContext> {
  const has = (need: ReadNeed) => fields.some((element) => hasNeed(element, need))
  const sums = has('sums') ? await computeSums(audience, [found]) : undefined
  const charts = has('charts') ? await computeCharts(audience, found) : undefined
  const references = has('references') ? await findReferences(audience, found) : []
  const holdsFiles = fields.some((field) => fieldTypeOf(field).files)
  const file = holdsFiles ? await findShownFiles(audience, fields, [found.artifact.field_values]) : () => undefined
  return assembleReadContext(audience, found, { sums: sums?.get(found.artifact.id), charts, references, file })
}

async function findReferences(audience: Audience, found: FoundArtifact): Promise<ReadContext['references']> {
  const incoming = await findIncoming(audience, [found.artifact.id])
  return crossReferences(audience, found, incoming(found.artifact.id))
}

/**
 * The same for several, with as many statements as for one. `charts`: include them, which takes extra statements per
 * artifact.
 */
export async function buildReadContexts(
  audience: Audience,
  artifacts: readonly FoundArtifact[],
  { charts }: { readonly charts: boolean },
): Promise<readonly ReadContext[]> {
  const sums = await computeSums(audience, artifacts)
  const file = await findShownFiles(
    audience,
    new Set(artifacts.flatMap(({ access }) => access.readable)),
    artifacts.map(({ artifact }) => artifact.field_values),
  )
  const referring = artifacts.filter(({ access }) => access.readable.some((element) => hasNeed(element, 'references')))
  const incoming = await findIncoming(
    audience,
    referring.map(({ artifact }) => artifact.id),
  )
  const readings: ReadContext[] = []
  for (const found of artifacts) {
    const made = {
      sums: sums.get(found.artifact.id),
      charts: charts ? await computeCharts(audience, found) : undefined,
      references: await crossReferences(audience, found, incoming(found.artifact.id)),
      file,
    }
    readings.push(assembleReadContext(audience, found, made))
  }
  return readings
}

/** True if the value depends only on the row of the artifact, and not on the viewer. */
export function isShownByItself(element: Element): boolean {
  return fieldTypeOf(element).needs === undefined
}

function hasNeed(element: Element, need: ReadNeed): boolean {
  return fieldTypeOf(element).needs?.includes(need) === true
}

/** For such fields only; needs no statement. */
export function buildPlainReadContext(audience: Audience, found: FoundArtifact): ReadContext {
  return assembleReadContext(audience, found, {
    sums: undefined,
    charts: undefined,
    references: [],
    file: () => undefined,
  })
}

interface Made {
  readonly sums: Sums | undefined
  readonly charts: Awaited<ReturnType<typeof computeCharts>> | undefined
  readonly references: ReadContext['references']
  readonly file: ReadContext['file']
}

function assembleReadContext(
  { context, viewer, language }: Audience,
  found: FoundArtifact,
  { sums, charts, references, file }: Made,
): ReadContext {
  const { artifact, access } = found
  const { tracker } = access
  const people = new Map<AccountId, FoundArtifact['people'][number]>(found.people.map((row) => [row.id, row]))
  return {
    context,
    viewer,
    language,
    tracker,
    facts: artifact,
    values: artifact.field_values,
    user(id) {
      const row = people.get(id)
      return row && representPerson(context, viewer, row)
    },
    group: (group) => groupIn(tracker, group, language),
    linked: (html) => linkProjectReferences(context.referenceKinds, tracker.project, html, namesIn(found)),
    links: { forward: found.forward.map(linkJson), reverse: found.reverse.map(linkJson) },
    references,
    sum: (field) => sums?.get(field) ?? null,
    burndown: (field) => charts?.get(field),
    burnup: (field) => charts?.get(field),
    file,
  }
}

/** Keywords and projects that references in the artifact's texts may use and the viewer may know. */
function namesIn(found: Pick<FoundArtifact, 'access' | 'artifact' | 'outgoing'>): KnownNames {
  const { access, outgoing } = found
  const { id, shortname } = access.tracker.project
  const others = outgoing.flatMap(({ ref, of_project }) => {
    const [, name, ...value] = ref.split(/[#:]/) // `art #orchard:12`
    return name === undefined || value.length === 0 ? [] : [[name.toLowerCase(), of_project] as const]
  })
  const keyed = [...keyReferences(found)].flatMap(([key, [first]]) =>
    first === undefined ? [] : [[key, gotoPath('art', String(first), id)] as const],
  )
  return {
    itemNames: itemNamesSeen(access),
    projects: new Map([...others, [shortname.toLowerCase(), id]]),
    keys: new Map(keyed),
  }
}

/** A person inside a value: e-mail address and status are shown to unrestricted signed-in viewers only. */
export function representPerson(context: Platform, viewer: Viewer, row: FoundArtifact['people'][number]): UserFull {
  const showsPrivateFacts = viewer.account_id !== undefined && !viewer.is_restricted
  return {
    ...representUserMinimal(context, row),
    email: showsPrivateFacts ? row.email : null,
    status: showsPrivateFacts ? row.status : null,
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

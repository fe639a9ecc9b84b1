import { PLAIN_COLOR, PALETTE, readColor } from '../palette.ts'
import type { TrackerHeader } from '../store-tracker.ts'
import type { PartKind } from '../tables.ts'
import type {
  AccessKind,
  FieldId,
  Grants,
  GroupNumber,
  Hook,
  ListValueId,
  Structure,
  Tracker,
  TrackerId,
} from '../tracker.ts'
import { DEFAULT_SETTINGS } from '../tracker-settings.ts'
import { DEFAULT_WEBHOOK_EVENTS } from './sync-webhooks.ts'
import { createDefinitionProblems, type Located, pointer } from './problems.ts'
import { readElements } from './read-elements.ts'
import { type DefinitionContext, resolveGroups } from './definition-context.ts'
import { readReports } from './read-reports.ts'
import { readDateRules, readListRules, readTriggers } from './read-rules.ts'
import { readSemantics } from './read-semantics.ts'
import { readWorkflow } from './read-workflow.ts'
import type { TrackerDefinition } from './schemas.ts'
import { isWebAddress } from './web-address.ts'
import type { ReferenceLookup } from './reference-lookup.ts'

/** The result of parsing a document, with all of its problems. */
export interface ParsedDefinition {
  readonly named: TrackerHeader
  readonly structure: Structure
  readonly problems: readonly Located[]
  /** The number of new ids needed per kind. */
  readonly needs: ReadonlyMap<PartKind, number>
  /** Stored parts that the document omits. */
  readonly dropped: DefinitionContext['dropped']
}

export interface ParseOptions {
  readonly stored?: Tracker | undefined
  readonly prunable?: DefinitionContext['prunable']
  /** Fields of the stored tracker that other trackers refer to. */
  readonly needed?: ReadonlySet<FieldId>
  /** Ids for new parts; absent: placeholders are used, to count the ids needed. */
  readonly ids?: ReadonlyMap<PartKind, readonly number[]>
  /** Problems found before parsing. */
  readonly problems?: readonly Located[]
}

const NOTHING_PRUNED = { fields: new Set<FieldId>(), values: new Set<ListValueId>() }
const UNREAL = 2 ** 52

/**
 * Parses a document against its references. It is pure, so it runs twice: first to count the ids needed, then with the
 * ids.
 */
export function parseDefinition(
  document: TrackerDefinition,
  world: ReferenceLookup,
  options: ParseOptions = {},
): ParsedDefinition {
  const { stored, prunable = NOTHING_PRUNED, needed = new Set(), ids } = options
  const needs = new Map<PartKind, number>()
  let unreal = UNREAL
  const reading: DefinitionContext = {
    world,
    problems: createDefinitionProblems([...(options.problems ?? [])]),
    stored,
    prunable,
    needed,
    dropped: { fields: [], values: [] },
    newId(kind) {
      const count = needs.get(kind) ?? 0
      needs.set(kind, count + 1)
      return ids?.get(kind)?.[count] ?? unreal++
    },
  }
  const form = readElements(document, reading)
  const lists = readListRules(document.rules?.lists ?? [], form, reading)
  const structure: Structure = {
    settings: { ...DEFAULT_SETTINGS, ...document.settings },
    grants: readGrants(document.permissions, reading),
    elements: form.elements,
    semantics: readSemantics(document.semantics ?? {}, form, reading),
    workflow: document.workflow ? readWorkflow(document.workflow, form, lists, reading) : null,
    rules: { dates: readDateRules(document.rules?.dates ?? [], form, reading), lists },
    triggers: readTriggers(document.triggers ?? [], form, reading),
    reports: readReports(document.reports ?? [], form, reading),
    canned_responses: document.canned_responses ?? [],
    webhooks: readWebhooks(document.webhooks ?? [], reading),
  }
  const named = readNamed(document, reading)
  return { named, structure, problems: reading.problems.all, needs, dropped: reading.dropped }
}

function readNamed(document: TrackerDefinition, reading: DefinitionContext): TrackerHeader {
  const { world, problems } = reading
  const { label = '', item_name = '', description = '', color_name = PLAIN_COLOR } = document
  if (label === '') problems.add('/label', 'parameter_required', { rule: 'required' })
  if (document.item_name === undefined) problems.add('/item_name', 'parameter_required', { rule: 'required' })
  else if (!/^[a-zA-Z0-9_]+$/.test(item_name)) problems.add('/item_name', 'name_invalid', { rule: 'pattern' })
  else if (world.isTaken(item_name)) problems.add('/item_name', 'name_taken', { rule: 'unique' })
  const color = readColor(color_name)
  if (color === undefined) problems.add('/color_name', 'parameter_not_allowed', { rule: 'one_of', allowed: PALETTE })
  return { item_name, label, description, color_name: color ?? PLAIN_COLOR, parent_id: readParent(document, reading) }
}

function readParent(
  { hierarchy }: TrackerDefinition,
  { world, problems, stored }: DefinitionContext,
): TrackerId | null {
  const name = hierarchy?.parent
  if (name === undefined || name === null || name === '') return null
  const parent = world.trackerNamed(name)
  if (!parent || parent.project_id !== world.project_id) {
    problems.add('/hierarchy/parent', 'reference_unknown', { rule: 'exists' })
    return null
  }
  for (let each: TrackerId | null = parent.id; each !== null; each = world.parentOf(each)) {
    if (each !== stored?.id) continue
    problems.add('/hierarchy/parent', 'parameter_conflict')
    return null
  }
  return parent.id
}

const ANONYMOUS: GroupNumber = 1
/** Groups that contain every user. Access by assigned or submitting group makes no sense for them. */
const EVERYBODY: readonly GroupNumber[] = [2, 5]

function readGrants(given: TrackerDefinition['permissions'], reading: DefinitionContext): Grants {
  const permissions = given ?? { full: ['@registered'] }
  const read = (kind: AccessKind) => {
    const path = pointer('/permissions', kind)
    const names = permissions[kind] ?? []
    for (const [at, name] of names.entries()) {
      const group = reading.world.groupNamed(name)
      if (group !== undefined && !isSensible(kind, group))
        reading.problems.add(pointer(path, at), 'parameter_not_allowed', { rule: 'one_of' })
    }
    return resolveGroups(names, path, reading)
  }
  return {
    full: read('full'),
    submitted_by_user: read('submitted_by_user'),
    submitted_by_group: read('submitted_by_group'),
    assigned_to_group: read('assigned_to_group'),
    admin: read('admin'),
  }
}

function isSensible(kind: AccessKind, group: GroupNumber): boolean {
  if (kind === 'full') return true
  return group !== ANONYMOUS && (!EVERYBODY.includes(group) || kind === 'submitted_by_user')
}

function readWebhooks(given: readonly Hook[], { problems }: DefinitionContext): readonly Hook[] {
  for (const [at, { url }] of given.entries())
    if (!isWebAddress(url)) problems.add(pointer('/webhooks', at, 'url'), 'parameter_invalid', { rule: 'format' })
  return given.map(({ url, events = DEFAULT_WEBHOOK_EVENTS, format = 'form' }) => ({
    url,
    events: [...events],
    format,
  }))
}

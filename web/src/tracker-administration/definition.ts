import type {
  ConditionsDefinition,
  GroupListDefinition,
  ListValueDefinition,
  SemanticsDefinition,
  StaticListDefinition,
  TrackerDefinition,
  TrackerElement,
  UserListDefinition,
  WorkflowDefinition,
} from '@waypost/sdk/api'

export interface DefinedListValue {
  readonly key: string
  readonly label: string
  readonly description: string
  readonly color: string | null
  readonly hidden: boolean
  /** Set on the board. */
  readonly limit?: number | null
}

export interface StaticListBind extends Omit<StaticListDefinition, 'values' | 'default'> {
  readonly values: readonly DefinedListValue[]
  readonly default: readonly string[]
}
export type ListBind = StaticListBind | UserListDefinition | GroupListDefinition

export const FIELD_RIGHTS = ['read', 'submit', 'update'] as const
export type FieldRight = (typeof FIELD_RIGHTS)[number]
export const TRACKER_RIGHTS = ['full', 'submitted_by_user', 'submitted_by_group', 'assigned_to_group', 'admin'] as const
export type TrackerRight = (typeof TRACKER_RIGHTS)[number]

/** A field, a container or a static element of the form, with all members of the document. */
export interface FormElement {
  readonly name: string
  readonly type: string
  readonly label: string
  readonly description: string
  readonly required: boolean
  readonly notifications: boolean
  readonly properties: Readonly<Record<string, unknown>>
  readonly default: unknown
  readonly bind: ListBind | null
  readonly permissions: Readonly<Record<FieldRight, readonly string[]>> | null
  readonly shared_from: string | null
  readonly content: readonly FormElement[] | null
}

export type WorkflowStep = NonNullable<WorkflowDefinition['transitions']>[number]
export type Conditions = Required<ConditionsDefinition>

/** The definition of a tracker while it is edited. Members that no screen edits are preserved. */
export interface Definition
  extends Omit<TrackerDefinition, 'elements' | 'unused_elements' | 'permissions' | 'semantics' | 'workflow'> {
  readonly elements: readonly FormElement[]
  readonly unused_elements: readonly FormElement[]
  readonly permissions: Readonly<Record<TrackerRight, readonly string[]>>
  readonly semantics: SemanticsDefinition
  readonly workflow: WorkflowDefinition | null
}

export function parseEditedDefinition(document: TrackerDefinition): Definition {
  const { permissions = {} } = document
  return {
    ...document,
    elements: (document.elements ?? []).map(readElement),
    unused_elements: (document.unused_elements ?? []).map(readElement),
    permissions: {
      full: permissions.full ?? [],
      submitted_by_user: permissions.submitted_by_user ?? [],
      submitted_by_group: permissions.submitted_by_group ?? [],
      assigned_to_group: permissions.assigned_to_group ?? [],
      admin: permissions.admin ?? [],
    },
    semantics: document.semantics ?? {},
    workflow: document.workflow ?? null,
  }
}

/** The API types limit the nesting of elements; here a container holds elements at any depth. */
export function toDocument(definition: Definition): TrackerDefinition {
  return JSON.parse(JSON.stringify(definition))
}

interface Given extends Omit<TrackerElement, 'content'> {
  content?: Given[] | null
}

function readElement(given: Given): FormElement {
  const { permissions } = given
  return {
    name: given.name ?? '',
    type: given.type ?? '',
    label: given.label ?? '',
    description: given.description ?? '',
    required: given.required ?? false,
    notifications: given.notifications ?? false,
    properties: given.properties ?? {},
    default: given.default ?? null,
    bind: given.bind ? readBind(given.bind) : null,
    permissions: permissions
      ? { read: permissions.read ?? [], submit: permissions.submit ?? [], update: permissions.update ?? [] }
      : null,
    shared_from: given.shared_from ?? null,
    content: given.content?.map(readElement) ?? null,
  }
}

function readBind(bind: NonNullable<TrackerElement['bind']>): ListBind {
  if (bind.type !== 'static') return bind
  return { ...bind, values: (bind.values ?? []).map(readListValue), default: bind.default ?? [] }
}

function readListValue({
  key = '',
  label = '',
  description = '',
  color,
  hidden,
  limit,
}: ListValueDefinition): DefinedListValue {
  const shown = { key, label, description, color: color ?? null, hidden: hidden ?? false }
  return limit === undefined ? shown : { ...shown, limit }
}

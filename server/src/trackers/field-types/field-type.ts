import type { TObject, TSchema } from 'typebox'
import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import type { UserFull } from '../../accounts/users/schemas.ts'
import type { FileId } from '../../files/file.ts'
import type { FileInfo } from '../../files/represent-file.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { Attributes, XmlElement } from '../../platform/wire/xml-element.ts'
import type { Catalogue } from '../../platform/messages/catalogue.ts'
import type { Details, Reason } from '../../platform/messages/reasons.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { UserGroupOfProject } from '../../projects/groups/user-group.ts'
import type { FieldSearch } from '../search/field-search.ts'
import type { Element, FieldId, GroupNumber, StoredValues, Tracker, VersionFacts } from '../tracker.ts'

/**
 * One type of field. Only the field type knows the stored form of its values; all other code handles them as `unknown`.
 */
export interface FieldType {
  /** The key in the API, in definitions and in the database. */
  readonly type: string
  readonly kind: 'field' | 'container' | 'static'
  /** Begins the names of its schemas in the OpenAPI description: `SelectBox` for `SelectBoxValue`, `SelectBoxInput`. */
  readonly schemaName?: string
  /**
   * For containers: an outer one stands at the root of the form, and the workflow may hide it; an inner one may stand in
   * an outer one.
   */
  readonly container?: 'outer' | 'inner'
  /** The schema of its settings with their defaults; `normalizeProperties` (properties.ts) produces the stored form. */
  readonly properties: TObject
  /** For lists: how many values an artifact may have; `open` also accepts values that are not defined. */
  readonly list?: 'one' | 'many' | 'open'
  /** A tracker has at most one field of this type. */
  readonly isSingle?: true
  /** Values can be submitted and updated. Absent: the field is read-only. */
  readonly isWritable?: true
  /** The field may be marked as required. */
  readonly canBeRequired?: true
  /** Included in `values_by_field` by default. */
  readonly isAlphanumeric?: true
  /** The value is generated on write: once per artifact, or for each version. */
  readonly givenBy?: 'creation' | 'version'
  /** The data that `read` uses beside the row of the artifact, so that it is loaded; absent: none. */
  readonly needs?: readonly ReadNeed[]
  /** The values are the links of the artifact; each viewer sees those whose other end they may see. */
  readonly holdsLinks?: true
  /** The value restricts who may see the artifact; stored as group numbers, or null. */
  readonly controlsVisibility?: true
  /** The stored value is a number that sums, charts and semantics may use. */
  readonly isAmount?: true
  /** The unit of an amount, if it has one: then it is compared with amounts of the same unit, and is no number of days. */
  readonly unit?: string
  /** For computed amounts: the name of the field that is summed over the children. */
  readonly sums?: (element: Pick<Element, 'name' | 'properties'>) => string
  /** For charts: the effort that is shown per day. */
  readonly chart?: 'remaining' | 'completed'
  /** A text of several lines, which can be the description of an artifact. */
  readonly isMultiline?: true
  /** The type of its column in tables over several trackers, if its family (bind-names.ts) does not tell. */
  readonly column?: 'numeric'
  /** How an action of the workflow sets the field; absent: it cannot. */
  readonly action?: FieldAction
  /** The definition names groups in the member `default`. */
  readonly hasDefaultGroups?: true
  /** Whether an existing field can become one of the other type and keep its values. */
  readonly mayBecome?: (other: FieldType) => boolean

  /** Parses the member `default` of a definition; undefined and null mean no default. Throws `ValueFault`. */
  readonly readDefault?: (given: unknown, element: Element) => unknown
  /** The inverse of `readDefault`. */
  readonly writeDefault?: (element: Element) => unknown

  /**
   * Its description in the structure, as overrides of `{ values: null, default_value: null, specific_properties:
   * properties }`.
   */
  describe?(element: Element, describing: Describing): FieldDescription

  /**
   * The members of a value in responses, beside `field_id`, `type` and `label`; undefined: the value is omitted.
   * `stored` is undefined if nothing was ever stored.
   */
  read?(stored: unknown, element: Element, reading: ReadContext): object | undefined
  /** Schemas of the members that `read` returns, for the OpenAPI description. */
  readonly readSchema?: Readonly<Record<string, TSchema>>
  /** Schemas of the members that `write` accepts by `field_id`. Only a description: `write` checks what it is given. */
  readonly writeSchema?: Readonly<Record<string, TSchema>>
  /** How an unset value appears in lists of all fields: the stored form to read, or the members themselves. */
  readonly blank?: { readonly stored: unknown } | { readonly shown: object }

  /** The value to store for a client's input. Throws `ValueFault`. */
  write?(item: WriteItem, element: Element, writing: FieldWriteContext): Promise<unknown>
  /** The value of a new artifact if the client sends none; undefined: no value. */
  defaultFor?(element: Element, writing: FieldWriteContext): Promise<unknown>
  /** Whether the value fails `required`. */
  isEmpty?(stored: unknown): boolean
  /** Whether writing `given` over `stored` is a no-op. */
  isSame?(stored: unknown, given: unknown): boolean

  /** How artifacts are searched and sorted by this type; absent: not supported. */
  readonly search?: FieldSearch
  /** The index entries for filters and sorting. */
  index?(stored: unknown, element: Element): IndexEntries
  /** The accounts that a value names. */
  people?(stored: unknown, element: Element): readonly AccountId[]
  /** The date of a value, for rules that compare dates: a day or an instant. */
  readonly dateOf?: (
    stored: unknown,
    facts: Pick<VersionFacts, 'submitted_on' | 'last_modified_date'>,
  ) => string | Date | undefined
  /** The files of a value, in order. */
  readonly files?: (stored: unknown) => readonly FileId[]
  /** The texts that may contain references. */
  texts?(stored: unknown): readonly { format: TextFormat; content: string }[]
  /** The input that sets the value to a plain text. */
  readonly fromPlainText?: (text: string) => unknown
  /** For CSV, flat lists, tables over several trackers and, without `inWords`, mails: a scalar, or an array of labels. */
  flat?(stored: unknown, element: Element, reading: ReadContext): FlatValue
  /**
   * The input for a CSV cell with the text of `flat`; undefined: the cell changes nothing. `stored` is the current value.
   * Absent: the column is read-only.
   */
  readonly fromCell?: (text: string, stored: unknown) => Omit<WriteItem, 'byName'> | undefined
  /** The value in mails, as people enter it; absent: as `texts` or `flat`. */
  readonly inWords?: (stored: unknown) => string
  /**
   * The value for the field of the same name in the target tracker, on a move or a copy; undefined: not convertible.
   * `isPartial`: some of the value is lost.
   */
  migrate?(stored: unknown, from: Element, to: Element, migrating: Migrating): Migrated | undefined
  /** The value in archives of deleted artifacts; absent: the value as text. */
  archive?(stored: unknown, element: Element, archiving: Archiving): Archived
}

export type ReadNeed = 'links' | 'references' | 'reference_targets' | 'sums' | 'charts' | 'files'

/** Actions set a field to the moment of the change, or to a number. */
export type FieldAction =
  | {
      readonly kind: 'moment'
      /** The stored value; `zone` is the time zone of the caller, or else of the platform. */
      readonly stored: (element: Element, moment: { readonly now: Date; readonly zone: string }) => string
    }
  | { readonly kind: 'number'; readonly fits: (value: unknown) => boolean }

export type FlatValue = string | number | null | readonly string[]

export interface IndexEntries {
  /** List values, people, groups: by id. */
  readonly ids?: readonly number[]
  /** Sortable values. Days count from 1970-01-01, instants are in seconds. */
  readonly numbers?: readonly number[]
}

/** The differences of a field from the default description in the structure. */
export interface FieldDescription {
  readonly values?: unknown
  readonly default_value?: unknown
  readonly specific_properties?: object
  readonly bindings?: { type: string | null; list: readonly object[] }
  /** Members specific to this type. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** Preloaded data for describing a structure. */
export interface Describing {
  readonly context: Pick<Context, 'config' | 'settings' | 'clock'>
  readonly viewer: Viewer
  readonly language: Catalogue
  readonly tracker: Tracker
  group(group: GroupNumber): UserGroupOfProject | undefined
  /** All groups of the project and the platform, in list order. */
  readonly groups: readonly { readonly number: GroupNumber; readonly group: UserGroupOfProject }[]
  /** The people who can be chosen in a list, in order; registered users are never listed in full. */
  population(field: FieldId): readonly UserFull[]
  user(id: AccountId): UserFull | undefined
  openValues(field: FieldId): readonly { readonly id: number; readonly label: string }[]
  readonly linkTypes: readonly { shortname: string; forward_label: string; reverse_label: string }[]
}

/** Data for reading the values of one artifact version for one viewer. */
export interface ReadContext {
  readonly context: Pick<Context, 'config' | 'settings'>
  readonly viewer: Viewer
  readonly language: Catalogue
  readonly tracker: Tracker
  readonly facts: VersionFacts
  /** All values of the artifact; a type may read the fields that its semantics name. */
  readonly values: StoredValues
  /** With `email` and `status` if this viewer may read them. */
  user(id: AccountId): UserFull | undefined
  group(group: GroupNumber): UserGroupOfProject | undefined
  /** Sanitized HTML with references turned into links. */
  linked(html: string): string
  /** Links whose both ends are visible to this viewer. */
  readonly links: { readonly forward: readonly LinkJson[]; readonly reverse: readonly LinkJson[] }
  readonly references: readonly { ref: string; url: string; direction: 'in' | 'out' | 'both' }[]
  /** The computed value, over the artifacts that this viewer may read. */
  sum(field: FieldId): number | null
  burndown(field: FieldId): object | undefined
  burnup(field: FieldId): object | undefined
  /** A file that one of these values contains. */
  readonly file: (id: FileId) => FileInfo | undefined
}

export interface LinkJson {
  readonly id: number
  readonly uri: string
  readonly tracker: {
    readonly id: number
    readonly uri: string
    readonly label: string
    readonly color: string
    readonly project: { readonly id: number; readonly uri: string; readonly label: string; readonly icon: string }
  }
  readonly type: string
}

/** One item of `values`, or one member of `values_by_field` in the same form. */
export interface WriteItem {
  readonly value?: unknown
  readonly format?: unknown
  readonly bind_value_ids?: unknown
  readonly links?: unknown
  readonly all_links?: unknown
  readonly parent?: unknown
  readonly is_autocomputed?: unknown
  readonly manual_value?: unknown
  readonly add?: unknown
  readonly remove?: unknown
  /** Lists accept labels, people logins, groups short names. */
  readonly byName: boolean
}

/** Data for writing values. The lookups do not write. */
export interface FieldWriteContext {
  readonly viewer: Viewer
  readonly viewerGroups: ReadonlySet<GroupNumber>
  /** Whether the viewer administers the tracker. */
  readonly administers: boolean
  readonly now: Date
  /** The time zone of the caller, or else of the platform. */
  readonly zone: string
  /** The time zone of the platform, in which days start. */
  readonly dayZone: string
  readonly tracker: Tracker
  /** The current value of this field; undefined: none. */
  readonly stored: unknown
  /** Those of the given people (by id, login or address) who can be chosen in the field. */
  choose(
    element: Element,
    wanted: readonly (number | string)[],
    /** People already stored in the field; they may stay. */
    kept: readonly AccountId[],
  ): Promise<readonly FoundPerson[]>
  /** The values that the field offers to the viewer, for the error about another one. */
  listOffered(element: Element): Promise<readonly OfferedValue[]>
  /** A group of this project, by its wire id (`105_3`, `158`) or its short name. */
  findGroup(given: string, byName: boolean): GroupNumber | undefined
  /** Existing open values, compared like `folded` in SQL. */
  findOpenValue(
    field: FieldId,
    given: { readonly id: number } | { readonly label: string },
  ): Promise<OpenValue | undefined>
  /** Checks links against the artifacts they name; returns the forward links to store: target -> type. */
  link(request: LinkRequest, element: Element): Promise<StoredLinks>
  /** Checks that these files can be attached in the field, in addition to the existing ones; the write claims them. */
  attach(files: readonly AskedFile[], element: Element): Promise<void>
}

/** A client's change of an artifact's links, in one of three forms. */
export type LinkRequest =
  | { readonly links: readonly AskedLink[]; readonly parent?: AskedParent }
  | { readonly parent: AskedParent }
  | { readonly all_links: readonly (AskedLink & { readonly direction: 'forward' | 'reverse' })[] }

export interface AskedLink {
  readonly id: number
  readonly type: string
  /** The path inside the item, for error reports. */
  readonly path: string
}
export type AskedParent = Omit<AskedLink, 'type'>

/** A file that a client requests. */
export interface AskedFile {
  readonly id: FileId
  /** The path inside the item, for error reports. */
  readonly path: string
}

/** Target id -> type. */
export type StoredLinks = Readonly<Record<string, string>>

export interface FoundPerson {
  /** The id, login or address as requested. */
  readonly wanted: number | string
  readonly id: AccountId
}

/** A value with the name that writes accept: its label, login or short name. */
export interface OfferedValue {
  readonly id: number | string
  readonly label: string
}

export interface OpenValue {
  /** 0: the write creates it. */
  readonly id: number
  readonly label: string
}

export interface Migrating {
  readonly from: Tracker
  readonly to: Tracker
  /** The group of the same name in the other project. */
  groupThere(group: GroupNumber): GroupNumber | undefined
  canBeChosen(element: Element, person: AccountId): boolean
  /** Whether the other project allows links of this type. */
  usesLinkType(type: string): boolean
  /** An existing open value; missing ones are created by the write. */
  findOpenValue(field: FieldId, label: string): OpenValue | undefined
}

export interface Migrated {
  /** Undefined: there is nothing to store. */
  readonly value: unknown
  readonly isPartial: boolean
}

export interface Archiving {
  readonly groupName: (group: GroupNumber) => string
}

/** The XML element `field_change` of a value: its attributes and content. */
export interface Archived {
  readonly attributes: Attributes
  readonly content: readonly XmlElement[]
}

/** A value that is refused. The code that collects the faults adds the field and its path in the input. */
export class ValueFault extends Error {
  readonly reason: Reason
  readonly details: Pick<Details, 'path' | 'rule' | 'allowed' | 'nearest' | 'cause' | 'params'>

  /** `path` is relative to the item: `bind_value_ids[0]`. */
  constructor(reason: Reason, details: ValueFault['details']) {
    super(reason)
    this.reason = reason
    this.details = details
  }
}

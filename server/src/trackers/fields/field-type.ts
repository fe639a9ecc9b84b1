import type { TObject, TSchema } from 'typebox'
import type { TextFormat } from '../../platform/texts/render-text.ts'
import type { UserFull } from '../../accounts/users/schemas.ts'
import type { FileId } from '../../files/file.ts'
import type { FileInfo } from '../../files/represent-file.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { Attributes, XmlElement } from '../../platform/wire/xml-element.ts'
import type { Catalogue } from '../../platform/words/catalogue.ts'
import type { Details, Reason } from '../../platform/words/reasons.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { UserGroupOfProject } from '../../projects/groups/user-group.ts'
import type { FieldSearch } from '../search/field-search.ts'
import type { Element, FieldId, GroupNumber, StoredValues, Tracker, VersionFacts } from '../tracker.ts'

/**
 * All that there is to know about one type of field. It alone knows the form in which its values are stored: everybody
 * else hands them round as `unknown`, and asks here.
 */
export interface FieldType {
  /** The key on the wire, in definitions and in the database. */
  readonly type: string
  readonly kind: 'field' | 'container' | 'static'
  /** Its settings with their defaults, as definitions give them; `settle` (properties.ts) makes of them what is kept. */
  readonly properties: TObject
  /** A list, and how many of its values an artifact may have; `open`: also values that nobody has defined. */
  readonly list?: 'one' | 'many' | 'open'
  /** A tracker has at most one of them. */
  readonly isSingle?: true
  /** A value can be asked for: it can be required, submitted, updated. Absent: it is never written. */
  readonly isWritable?: true
  /** A tracker may demand a value. */
  readonly canBeRequired?: true
  /** Listed in `values_by_field` without being asked for. */
  readonly isAlphanumeric?: true
  /** Nobody knows its value before it is written: that of a new artifact, or of each version. */
  readonly givenBy?: 'creation' | 'version'

  /** Reads the member `default` of a definition; undefined and null: there is none. Throws `ValueFault`. */
  readonly readDefault?: (given: unknown, element: Element) => unknown
  /** The same way back. */
  readonly writeDefault?: (element: Element) => unknown

  /** Its part of the structure: what differs from `{ values: null, default_value: null, specific_properties: properties }`. */
  describe?(element: Element, describing: Describing): Described

  /**
   * What an artifact shows of it, beside `field_id`, `type` and `label`; undefined: there is nothing to show. `stored` is
   * undefined where nothing was ever stored.
   */
  read?(stored: unknown, element: Element, reading: Reading): object | undefined
  /** The members that `read` gives, as schemas: for the description of the API. */
  readonly readSchema?: Readonly<Record<string, TSchema>>

  /** What is to be stored for what a client sent. Throws `ValueFault`. */
  write?(item: WriteItem, element: Element, writing: Writing): Promise<unknown>
  /** What a new artifact gets that says nothing about this field; undefined: nothing. */
  defaultFor?(element: Element, writing: Writing): Promise<unknown>
  /** Whether `required` is not met by it. */
  isEmpty?(stored: unknown): boolean
  /** Whether writing `given` over `stored` changes anything. */
  isSame?(stored: unknown, given: unknown): boolean

  /** How artifacts are searched and sorted by it; absent: they are not. */
  readonly search?: FieldSearch
  /** What filters and sorts go by. */
  index?(stored: unknown, element: Element): IndexEntries
  /** Whom a value names. */
  people?(stored: unknown, element: Element): readonly AccountId[]
  /** The files that a value holds, in their order. */
  readonly files?: (stored: unknown) => readonly FileId[]
  /** The texts that may refer to other things. */
  texts?(stored: unknown): readonly { format: TextFormat; content: string }[]
  /** For CSV and flat lists: a scalar, or an array of labels. */
  flat?(stored: unknown, element: Element, reading: Reading): FlatValue
  /**
   * The value for a field of another tracker that has the same name, on a move or a copy; undefined: it cannot go there.
   * `isPartial`: some of it could not.
   */
  migrate?(stored: unknown, from: Element, to: Element, migrating: Migrating): Migrated | undefined
  /** What archives of deleted artifacts say of a value; absent: the value itself, as a text. */
  archive?(stored: unknown, element: Element, archiving: Archiving): Archived
}

export type FlatValue = string | number | null | readonly string[]

export interface IndexEntries {
  /** List values, people, groups: by id. */
  readonly ids?: readonly number[]
  /** Whatever has an order. Days are counted from 1970-01-01, instants in seconds. */
  readonly numbers?: readonly number[]
}

/** How a field of the structure differs from the plain one. */
export interface Described {
  readonly values?: unknown
  readonly default_value?: unknown
  readonly specific_properties?: object
  readonly bindings?: { type: string | null; list: readonly object[] }
  /** Members that only this type has. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** What the description of a structure is made from, loaded before. */
export interface Describing {
  readonly context: Pick<Context, 'config' | 'settings' | 'clock'>
  readonly viewer: Viewer
  readonly language: Catalogue
  readonly tracker: Tracker
  group(group: GroupNumber): UserGroupOfProject | undefined
  /** All groups of the project and of the platform, in the order of lists. */
  readonly groups: readonly { readonly number: GroupNumber; readonly group: UserGroupOfProject }[]
  /** Who can be chosen in a list of people, in order; registered users are never all listed. */
  population(field: FieldId): readonly UserFull[]
  user(id: AccountId): UserFull | undefined
  openValues(field: FieldId): readonly { readonly id: number; readonly label: string }[]
  readonly linkTypes: readonly { shortname: string; forward_label: string; reverse_label: string }[]
}

/** What values are shown with, for one version of one artifact and one viewer. */
export interface Reading {
  readonly context: Pick<Context, 'config' | 'settings'>
  readonly viewer: Viewer
  readonly language: Catalogue
  readonly tracker: Tracker
  readonly facts: VersionFacts
  /** All of them; a type may look at the fields that its semantics name. */
  readonly values: StoredValues
  /** With `email` and `status`, as far as this viewer may read them. */
  user(id: AccountId): UserFull | undefined
  group(group: GroupNumber): UserGroupOfProject | undefined
  /** Safe HTML with its references turned into links. */
  linked(html: string): string
  /** Both ends visible to this viewer. */
  readonly links: { readonly forward: readonly LinkJson[]; readonly reverse: readonly LinkJson[] }
  readonly references: readonly { ref: string; url: string; direction: 'in' | 'out' | 'both' }[]
  /** The automatic value of a computed field, of what this viewer may read. */
  sum(field: FieldId): number | null
  burndown(field: FieldId): object | undefined
  burnup(field: FieldId): object | undefined
  /** A file that one of these values holds. */
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
  /** Lists take labels, people logins, groups short names. */
  readonly byName: boolean
}

/** What values are written with. Looking things up changes nothing. */
export interface Writing {
  readonly viewer: Viewer
  readonly viewerGroups: ReadonlySet<GroupNumber>
  /** Whether the viewer administers the tracker. */
  readonly administers: boolean
  readonly now: Date
  /** The zone of the caller, else the platform's. */
  readonly zone: string
  /** The platform's, in which days begin. */
  readonly dayZone: string
  readonly tracker: Tracker
  /** What is stored in this field now; undefined: nothing. */
  readonly stored: unknown
  /** Those of these people who can be chosen in the field; by id, login or address. */
  choose(
    element: Element,
    wanted: readonly (number | string)[],
    /** They may stay, wherever they are now: those who are stored already. */
    kept: readonly AccountId[],
  ): Promise<readonly FoundPerson[]>
  /** A group of this project by its id on the wire (`105_3`, `158`) or, by name, its short name. */
  findGroup(given: string, byName: boolean): GroupNumber | undefined
  /** Open values that exist already, compared as `folded` does. */
  findOpenValue(
    field: FieldId,
    given: { readonly id: number } | { readonly label: string },
  ): Promise<OpenValue | undefined>
  /** Checks links against the artifacts they name; returns the forward links to store: target -> type. */
  link(request: LinkRequest, element: Element): Promise<StoredLinks>
  /** Checks that these files can be attached in the field, beside those that are there; the write takes them. */
  attach(files: readonly AskedFile[], element: Element): Promise<void>
}

/** What a client asks of the links of an artifact, in one of the three forms. */
export type LinkRequest =
  | { readonly links: readonly AskedLink[]; readonly parent?: AskedParent }
  | { readonly parent: AskedParent }
  | { readonly all_links: readonly (AskedLink & { readonly direction: 'forward' | 'reverse' })[] }

export interface AskedLink {
  readonly id: number
  readonly type: string
  /** Where it stands in the item, for refusals. */
  readonly path: string
}
export type AskedParent = Omit<AskedLink, 'type'>

/** A file that a client names. */
export interface AskedFile {
  readonly id: FileId
  /** Where it stands in the item, for refusals. */
  readonly path: string
}

/** Target id -> type. */
export type StoredLinks = Readonly<Record<string, string>>

export interface FoundPerson {
  /** What was asked for. */
  readonly wanted: number | string
  readonly id: AccountId
}

export interface OpenValue {
  /** 0: it is made with the write. */
  readonly id: number
  readonly label: string
}

export interface Migrating {
  readonly from: Tracker
  readonly to: Tracker
  /** The same group in the other project, by its name. */
  groupThere(group: GroupNumber): GroupNumber | undefined
  canBeChosen(element: Element, person: AccountId): boolean
  /** Whether links of this type can be made there. */
  usesLinkType(type: string): boolean
  /** One that is there already; others are made with the write. */
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

/** The element `field_change` of a value: what it adds to it, and what it holds. */
export interface Archived {
  readonly attributes: Attributes
  readonly content: readonly XmlElement[]
}

/** Something about one value that cannot be taken. Who collects them adds the field and where it stands in the input. */
export class ValueFault extends Error {
  readonly reason: Reason
  readonly details: Pick<Details, 'path' | 'rule' | 'allowed' | 'cause' | 'params'>

  /** `path` is relative to the item: `bind_value_ids[0]`. */
  constructor(reason: Reason, details: Pick<Details, 'path' | 'rule' | 'allowed' | 'cause' | 'params'>) {
    super(reason)
    this.reason = reason
    this.details = details
  }
}

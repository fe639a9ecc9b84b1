import type {
  StaticListDefinition,
  Tracker,
  TrackerField,
  AnyValue as Value,
  AnyValueItem as ValueItem,
} from '@waypost/sdk/api'
import type { ComponentType, ReactNode } from 'react'
import type { Chosen } from '../artifacts/choices.ts'
import type { AvatarPerson } from '../design/marks.tsx'

/**
 * One type of field on the pages. Other code never compares the codes of types: it calls these members, or asks for
 * these capabilities. `V` is the value as the API sends it.
 */
export interface FieldType<V extends Value = Value> {
  /** The code in the API. */
  readonly type: string
  readonly kind: 'field' | 'container' | 'static'

  /** True if the value is shown as empty. */
  isEmpty(value: V): boolean
  /** The value, which is not empty. */
  show(value: V, field: TrackerField | undefined): ReactNode
  /** The value in one line without links and images, for cells, cards and changes; absent: as `show`. */
  showShort?(value: V): ReactNode
  /** On the page of an artifact it stands in the column of texts; others stand among the properties. */
  readonly isWide?: true
  /** `PageView` has a heading for each of its parts, so that its part of the page needs none. */
  readonly hasOwnHeadings?: true
  /** Its part of the page is closed at first. */
  readonly isFolded?: true
  /** Every page of an artifact shows it: its id, and who created and changed it. */
  readonly isShownByPage?: true
  /** The value on the page of its artifact, also if it is empty; absent: as `show`. */
  readonly PageView?: ComponentType<PageViewProps<V>>
  /** The text of the value: two versions are compared word by word. */
  source?(value: V): string | undefined
  /** The names of the entries: two versions are compared by added and removed entries. */
  entries?(value: V): readonly string[]
  /** The people that it names: cards show their marks. */
  people?(value: V): readonly AvatarPerson[]
  /** Also a single entry is compared as added or removed; otherwise as an old and a new value. */
  readonly isCollection?: true
  /** The links to other artifacts. */
  links?(value: V): readonly ArtifactRelation[]

  /** Absent: people cannot enter values. */
  readonly editing?: FieldEditing<V>

  /** Absent: the table has no column for it. */
  readonly column?: FieldColumn
  /** On the cards of a board. */
  readonly card?: FieldCard
  /** Charts can sum the values. */
  readonly isSummable?: true
  /** How charts show sums of the values; absent: as numbers. */
  readonly sumScale?: SumScale
  /** Absent: a filter cannot name it. */
  readonly filter?: FieldFilter

  /** How many values of a list an artifact may have; `open` also accepts new ones. */
  readonly list?: 'one' | 'many' | 'open'
  /** A popover can offer the values: those of a list, or days. */
  readonly picker?: 'list' | 'day'
  /** A tracker has at most one field of this type. */
  readonly isSingle?: true
  readonly canBeRequired?: true
  /** The editable settings; others are preserved. */
  readonly settings?: readonly FieldSetting[]
  /** The input for the default value; lists choose among their values. */
  readonly initial?: 'line' | 'paragraph' | 'number' | 'day'
  /** The step of inputs for numbers; absent: any. */
  readonly numberStep?: number
  /** The semantics that the field can have; `days` is a number of days, the length of a time frame. */
  readonly semantics?: readonly ('title' | 'description' | 'amount' | 'days' | 'day')[]
  /** The value that a step of the workflow can set. */
  readonly setByWorkflow?: 'now' | 'number' | 'minutes'

  /** A column of an imported table can become a field of this type; absent: it is not offered. */
  readonly fromTable?: TableColumnReader

  /** A container at the top level, with a heading; a state of the workflow can hide it. */
  readonly isSection?: true
  /** A container that stands beside its neighbours of the same type, and holds no other containers. */
  readonly isSideBySide?: true
  /** The content of a static element. */
  showStatic?(field: TrackerField): ReactNode
}

/** A value in the form of a write. */
export type ValueDraft = ValueItem

export interface FieldEditing<V extends Value = Value> {
  /** The form of a write; undefined: nothing is stored. */
  toDraft(field: TrackerField, value: V | undefined): ValueDraft
  /** The default value in a new artifact. */
  defaultDraft(field: TrackerField): ValueDraft
  /** The value to show while the write is running. */
  optimistic(field: TrackerField, draft: ValueDraft, stored: V | undefined): Value | undefined
  readonly Editor: ComponentType<EditorProps>
  /** The text of a draft, for types with `source`. */
  sourceOfDraft?(draft: ValueDraft): string
  /** The smallest write; absent: the draft itself. */
  toItem?(draft: ValueDraft, stored: ValueDraft): ValueItem
  /** A preview below the editor on the page of an artifact. */
  readonly Preview?: ComponentType<PreviewProps<V>>
  /** `PageView` edits the value itself. */
  readonly isEditedInPlace?: true
  /** Each artifact has its own value, so a bulk edit leaves it out. */
  readonly isNeverBulk?: true
  /** Uploaded files can be attached. */
  readonly acceptsFiles?: true
}

export interface EditValueProps {
  readonly tracker: Tracker
  readonly field: TrackerField
  /** `toDraft` of the stored value, or `defaultDraft` for a new artifact; sent unchanged in `values`. */
  readonly draft: ValueDraft
  readonly onChange: (draft: ValueDraft) => void
  /** The stored value: workflow transitions start from it. */
  readonly stored?: Value | undefined
  /** Selections in other lists, which may restrict this one. */
  readonly chosen?: Chosen | undefined
  readonly error?: string | undefined
  /** The label is shown elsewhere, for example above a column. */
  readonly isBare?: boolean | undefined
  readonly autoFocus?: boolean | undefined
}

/** The props of every editor. */
export type EditorProps = EditValueProps & {
  readonly label: string
  readonly hint: string | undefined
  /** The props of the frame around editors that are a single input. */
  readonly frame: Pick<EditValueProps, 'error' | 'isBare' | 'autoFocus'> & { label: string; hint: string | undefined }
}

export interface PageViewProps<V extends Value = Value> {
  readonly artifact: number
  readonly field: TrackerField
  readonly value: V | undefined
}

export interface PreviewProps<V extends Value = Value> extends PageViewProps<V> {
  readonly draft: ValueDraft
}

export interface ArtifactRelation {
  readonly id: number
  readonly tracker: string
  readonly color: string | undefined
  /** Empty for a link without a type. */
  readonly type: string
  readonly direction: 'forward' | 'reverse'
}

export interface FieldColumn {
  /** The minimum, in rem. Lists of people need more. */
  readonly width: number
  readonly isSortable?: true
  /** Right-aligned. */
  readonly isNumber?: true
  /** Takes the place of a missing title. */
  readonly isWide?: true
  /** Shown without being chosen: after title, status and people, or at the end. */
  readonly isShownByDefault?: 'middle' | 'end'
}

export interface FieldCard {
  readonly isShownByDefault?: true
  /** The value alone would not be understood. */
  readonly needsLabel?: true
}

export interface SumScale {
  readonly show: (sum: number) => string
  /** The distances between the lines of a chart, ascending. */
  readonly steps: readonly number[]
}

export interface FieldFilter {
  readonly operators: readonly string[]
  readonly input: 'text' | 'number' | 'date'
  /** Shown in the empty input. */
  readonly example?: string
  /** Literals beside the values of the field. */
  readonly literals: readonly string[]
  /** `=` means "contains". */
  readonly isContained?: true
  /** A condition on the empty value makes no sense. */
  readonly isAlwaysFilled?: true
  /** Its values are accounts; `MYSELF()` is one. */
  readonly isPerson?: true
  /** The name of the query language for the first field of this type. */
  readonly variable?: `@${string}`
}

/** How the cells of a column, as texts, become values of a field. Empty cells are never passed. */
export interface TableColumnReader {
  /** The first type that fits is guessed, in this order. */
  readonly order: number
  /** True if all cells look like values of the type. */
  fits(cells: readonly string[]): boolean
  /** The value for `values_by_field`; undefined: it is no value of the type. */
  read(cell: string): unknown
  /** The values of a list that has these cells. */
  bind?(cells: readonly string[]): StaticListDefinition
}

export interface FieldSetting {
  readonly name: string
  readonly kind: 'count' | 'flag' | 'line' | 'paragraph'
  /** A flag that is set unless it is stored. */
  readonly isSetByDefault?: true
}

export function hasUpdatePermission({ permissions }: TrackerField): boolean {
  return permissions.includes('update')
}

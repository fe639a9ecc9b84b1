import type { TrackerField, AnyValue as Value } from '@waypost/sdk/api'
import { isJsonRecord } from '../json.ts'

// The members of values by field type. The union `Value` of the SDK is what a server of this version answers; here all
// members are optional, because the history and kept drafts omit some, and a newer server may have other types.

export type LineValue = Value & { readonly value?: string | null }
export type NumberValue = Value & { readonly value?: number | null }
export type DurationValue = Value & { readonly value?: string | null; readonly minutes?: number | null }
export type DateValue = Value & { readonly value?: string | null; readonly is_time_displayed?: boolean }

export type TextValue = Value & {
  readonly value?: string | null
  readonly format?: 'text' | 'html'
  /** The source of a Markdown text; `value` is then the rendered HTML. */
  readonly commonmark?: string
  /** Sanitized HTML with links for references. */
  readonly post_processed_value?: string
}

export type ListValue = Value & {
  readonly values?: readonly ListItem[]
  readonly bind_value_ids?: readonly (number | string)[]
}

export type OpenListValue = Value & { readonly bind_value_objects?: readonly ListItem[] }
export type PersonValue = Value & { readonly value?: ListItem | null }

export type RestrictionValue = Value & {
  readonly granted_groups?: readonly string[]
  readonly granted_groups_ids?: readonly string[]
}

export type FileValue = Value & { readonly file_descriptions?: readonly FileDescription[] }

export type LinkValue = Value & {
  readonly links?: readonly LinkDescription[]
  readonly reverse_links?: readonly LinkDescription[]
}

export type ReferenceValue = Value & { readonly value?: readonly { readonly ref: string; readonly url: string }[] }

export type ComputedValue = Value & {
  readonly is_autocomputed?: boolean
  readonly value?: number | null
  readonly manual_value?: number | null
}

export type BurndownValue = Value & {
  readonly value?: {
    readonly points_with_date?: readonly { readonly date: string; readonly remaining_effort: number | null }[]
  }
}

/** A value of a list, a person or a group. The anonymous user has no id. */
export interface ListItem {
  readonly id?: number | string | null
  readonly label?: string
  readonly username?: string | null
  readonly real_name?: string | null
  readonly display_name?: string
  readonly avatar_url?: string
  readonly color?: { readonly r: number; readonly g: number; readonly b: number } | null
  readonly tlp_color?: string | null
}

export interface FileDescription {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly size: number
  readonly html_url: string
  readonly html_preview_url?: string | null
}

export interface LinkDescription {
  readonly id: number
  readonly type?: string | null
  readonly tracker?: { readonly label: string; readonly color?: string }
}

/** A value of a list in the structure of a tracker: of its own, a person or a group. */
export interface OfferedItem extends ListItem {
  readonly is_hidden?: boolean
  readonly value_color?: string
  /** The most artifacts that its column of a board should hold. */
  readonly limit?: number
  readonly user_reference?: ListItem
  readonly ugroup_reference?: ListItem & { readonly short_name?: string }
}

/** The values that a list offers; none for other types. */
export function offeredItems({ values }: TrackerField): readonly OfferedItem[] {
  return isList(values) ? values : []
}

function isList(values: unknown): values is readonly OfferedItem[] {
  return Array.isArray(values)
}

/** The default values of a list. */
export function defaultItems({ default_value: given }: TrackerField): readonly ListItem[] {
  return isList(given) ? given : []
}

/** A value from an entry of the history, which contains only `value` if that is complete. */
export function toValue({ field_id, type, label }: TrackerField, given: unknown): Value | undefined {
  if (given === null || given === undefined) return undefined
  return { field_id, type, label, ...(isJsonRecord(given) ? given : { value: given }) }
}

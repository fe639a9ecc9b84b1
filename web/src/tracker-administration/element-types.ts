import { AlignLeft, Calendar, Hash, List, type LucideIcon, Type, User } from 'lucide-react'
import { fieldType } from '../field-types/field-types.ts'
import type { FormElement } from './definition.ts'
import { isText, text } from './messages.ts'

export function typeLabel(type: string): string {
  const name = `administration.type.${type}`
  return isText(name) ? text(name) : type
}

/** Static elements may have no label. */
export function elementLabel({ label, type }: { readonly label: string; readonly type: string }): string {
  return label.trim() === '' ? typeLabel(type) : label
}

export function typeIcon(element: FormElement): LucideIcon {
  const { list, picker, isSummable, isWide } = fieldType(element)
  if (element.bind?.type === 'users') return User
  if (list) return List
  if (picker === 'day') return Calendar
  if (isSummable) return Hash
  return isWide ? AlignLeft : Type
}

import { isText, text } from './messages.ts'

export function typeLabel(type: string): string {
  const name = `administration.type.${type}`
  return isText(name) ? text(name) : type
}

/** Static elements may have no label. */
export function elementLabel({ label, type }: { readonly label: string; readonly type: string }): string {
  return label.trim() === '' ? typeLabel(type) : label
}

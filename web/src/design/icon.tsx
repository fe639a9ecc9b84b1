import type { LucideIcon } from 'lucide-react'

interface Props {
  readonly of: LucideIcon
  /** In pixels. */
  readonly size?: number
}

/** A decorative icon; the text beside it, or the label of its button, says what it means. */
export function Icon({ of: Drawing, size = 16 }: Props) {
  return <Drawing size={size} strokeWidth={1.5} absoluteStrokeWidth aria-hidden focusable={false} />
}

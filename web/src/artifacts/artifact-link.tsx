import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

interface Props extends Omit<ComponentProps<'a'>, 'id' | 'href'> {
  readonly id: number
  /** To what was said or done in this version. */
  readonly version?: number | null | undefined
}

/** To the page of an artifact. */
export function ArtifactLink({ id, version, ...props }: Props) {
  const { history } = useRouter()
  const href = `/artifacts/${id}${version ? `#v${version}` : ''}`
  const go = (event: MouseEvent) => {
    // Whoever wants another tab gets one.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || props.target) return
    event.preventDefault()
    history.push(href)
  }
  return <a {...props} href={href} onClick={go} />
}

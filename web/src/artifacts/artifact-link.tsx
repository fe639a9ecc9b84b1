import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

interface Props extends Omit<ComponentProps<'a'>, 'id' | 'href'> {
  readonly id: number
  /** The version to scroll to. */
  readonly version?: number | null | undefined
}

/** A link to the page of an artifact. */
export function ArtifactLink({ id, version, ...props }: Props) {
  const { history } = useRouter()
  const href = `/artifacts/${id}${version ? `#v${version}` : ''}`
  const go = (event: MouseEvent) => {
    // Modified clicks open another tab; leave them to the browser.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || props.target) return
    event.preventDefault()
    history.push(href)
  }
  return <a {...props} href={href} onClick={go} />
}

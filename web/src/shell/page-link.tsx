import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  readonly href: string
}

/** A link to a page by an address that is known only when it is shown. */
export function PageLink({ href, ...props }: Props) {
  const { history } = useRouter()
  const go = (event: MouseEvent) => {
    // Modified clicks open another tab; leave them to the browser.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || props.target) return
    event.preventDefault()
    history.push(href)
  }
  return <a {...props} href={href} onClick={go} />
}

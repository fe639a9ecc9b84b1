import type { ComponentProps } from 'react'
import { PageLink } from '../shell/page-link.tsx'

interface Props extends Omit<ComponentProps<'a'>, 'id' | 'href'> {
  readonly id: number
  /** The version to scroll to. */
  readonly version?: number | null | undefined
  /** The earlier version to show. */
  readonly state?: number | undefined
}

/** A link to the page of an artifact. */
export function ArtifactLink({ id, version, state, ...props }: Props) {
  const query = state === undefined ? '' : `?version=${state}`
  return <PageLink dir="auto" {...props} href={`/artifacts/${id}${query}${version ? `#v${version}` : ''}`} />
}

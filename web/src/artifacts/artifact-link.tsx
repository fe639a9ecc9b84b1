import type { ComponentProps } from 'react'
import { PageLink } from '../shell/page-link.tsx'

interface Props extends Omit<ComponentProps<'a'>, 'id' | 'href'> {
  readonly id: number
  /** The version to scroll to. */
  readonly version?: number | null | undefined
}

/** A link to the page of an artifact. */
export function ArtifactLink({ id, version, ...props }: Props) {
  return <PageLink {...props} href={`/artifacts/${id}${version ? `#v${version}` : ''}`} />
}

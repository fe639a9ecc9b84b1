import { useQuery } from '@tanstack/react-query'
import { FileText, GitCommitHorizontal, Paperclip } from 'lucide-react'
import { Icon } from '../design/icon.tsx'
import { text } from '../search/messages.ts'
import { Facet, FacetValue } from './facet.tsx'
import { MAX_OTHERS, othersQuery } from './others-query.ts'
import { type SearchAddress, withKind } from './search-address.ts'

interface Props {
  readonly address: SearchAddress
  /** The number of artifacts; undefined while it is unknown. */
  readonly artifacts: number | undefined
}

/** Artifacts, files and commits, of which one is shown. */
export function KindList({ address, artifacts }: Props) {
  const { data: files } = useQuery(othersQuery(address, 'files'))
  const { data: commits } = useQuery(othersQuery(address, 'commits'))
  const kinds = [
    { kind: undefined, icon: FileText, label: text('search.artifacts'), count: artifacts },
    { kind: 'files', icon: Paperclip, label: text('search.files'), count: files?.files.length },
    { kind: 'commits', icon: GitCommitHorizontal, label: text('search.commits'), count: commits?.commits.length },
  ] as const
  return (
    <Facet title={text('search.kinds')}>
      {kinds.map(({ kind, icon, label, count }) => (
        <FacetValue
          key={label}
          to={withKind(address, kind)}
          isOn={address.kind === kind}
          count={count}
          isMinimum={kind !== undefined && count === MAX_OTHERS}
        >
          <Icon of={icon} />
          {label}
        </FacetValue>
      ))}
    </Facet>
  )
}

import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useSession } from '../accounts/session.ts'
import { failureOf } from '../api.ts'
import { ApiCalls } from '../design/api-snippets.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { StatusProvider } from '../field-types/status.tsx'
import { lazyPart } from '../design/lazy-part.tsx'
import { artifactCalls } from './artifact-calls.ts'
import { artifactQuery, versionsQuery } from './artifact-queries.ts'
import { text } from './messages.ts'
import { PickSearch } from './pick-search.tsx'
import { providePickSearch } from './pick.tsx'
import { ShownArtifact } from './shown-artifact.tsx'

providePickSearch(PickSearch)

const ShownVersion = lazyPart(async () => (await import('./past/shown-version.tsx')).ShownVersion)

export function ArtifactPage() {
  const { artifact: id } = useParams({ from: '/shell/artifacts/$artifact' })
  const { version } = useSearch({ from: '/shell/artifacts/$artifact' })
  const number = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0
  const { data: open, error, refetch } = useQuery(artifactQuery(number))
  const { data: session } = useSession()
  // Requested in parallel with the artifact.
  usePrefetchInfiniteQuery(versionsQuery(number))
  const status = failureOf(error)?.status
  if (error && (!open || status === 404))
    return status === 404 || number === 0 ? (
      <PageLayout title={text('artifact.absent')} lead={text('artifact.absent.lead')}>
        <ApiCalls calls={artifactCalls(number, [])} />
      </PageLayout>
    ) : (
      <PageLayout title={text('artifact.numbered', { id })}>
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      </PageLayout>
    )
  if (!open || session === undefined)
    return (
      <PageLayout title={text('artifact.numbered', { id })}>
        <Panel title={text('artifact.fields')} isList>
          <Loading />
        </Panel>
      </PageLayout>
    )
  // Drafts belong to one account and one artifact.
  const name = `${session?.user.id ?? 0}.artifact.${number}`
  return (
    <StatusProvider tracker={open.tracker}>
      {version === undefined ? (
        <ShownArtifact key={name} open={open} draftName={name} />
      ) : (
        <ShownVersion key={name} open={open} version={version} />
      )}
    </StatusProvider>
  )
}

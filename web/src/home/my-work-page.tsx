import { ApiCall } from '../design/api-snippets.tsx'
import { PageLayout } from '../design/page.tsx'
import { text } from '../messages/text.ts'
import { Assigned } from './assigned.tsx'

const QUERY = encodeURIComponent('{"assigned_to":true}')

/** All open artifacts of the viewer. */
export function MyWorkPage() {
  return (
    <PageLayout title={text('nav.work')} lead={text('work.lead')}>
      <Assigned />
      <ApiCall path={`/users/self/artifacts?query=${QUERY}`} />
    </PageLayout>
  )
}

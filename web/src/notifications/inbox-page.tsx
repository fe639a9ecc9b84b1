import { ApiCall } from '../design/api-snippets.tsx'
import { PageLayout } from '../design/page.tsx'
import { text } from '../messages/text.ts'
import { Inbox } from './inbox.tsx'

/** The notifications of the viewer on a screen of their own. */
export function InboxPage() {
  return (
    <PageLayout title={text('inbox.title')} lead={text('inbox.lead')}>
      <Inbox />
      <ApiCall path="/notifications" />
    </PageLayout>
  )
}

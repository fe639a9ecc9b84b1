import type { ReactNode } from 'react'
import { ApiCall } from '../design/api-snippets.tsx'
import { PageLayout } from '../design/page.tsx'
import { useDraft } from './draft.ts'

interface Props {
  readonly title: string
  readonly lead: string
  readonly actions?: ReactNode
  readonly call?: 'definition' | 'webhooks' | 'trash'
  readonly children: ReactNode
}

/** A screen of the administration. */
export function AdministrationScreen({ title, lead, actions, call = 'definition', children }: Props) {
  const { tracker } = useDraft()
  return (
    <PageLayout title={title} lead={lead} actions={actions}>
      {children}
      <ApiCall path={`/trackers/${tracker.id}/${call}`} />
    </PageLayout>
  )
}

import { Link, useSearch } from '@tanstack/react-router'
import { ApiCall } from '../design/api-snippets.tsx'
import { PageLayout } from '../design/page.tsx'
import segments from '../design/segments.module.css'
import { text } from './messages.ts'
import { WorkPanel } from './work-panel.tsx'
import { SCOPE_QUERIES, WORK_SCOPES, type WorkScope } from './work-query.ts'

/** The open artifacts that are assigned to the viewer, or that they have submitted. */
export function MyWorkPage() {
  const { of: scope = 'assigned' } = useSearch({ from: '/shell/own/my-work' })
  return (
    <PageLayout title={text('nav.work')} actions={<ScopeLinks shown={scope} />}>
      <WorkPanel key={scope} title={text('work.open')} scope={scope} />
      <ApiCall path={`/users/self/artifacts?query=${encodeURIComponent(SCOPE_QUERIES[scope])}`} />
    </PageLayout>
  )
}

function ScopeLinks({ shown }: { readonly shown: WorkScope }) {
  return (
    <nav className={segments['segments']} aria-label={text('work.scope')}>
      {WORK_SCOPES.map((scope) => (
        <Link
          key={scope}
          to="/my-work"
          search={scope === 'submitted' ? { of: scope } : {}}
          className={segments['segment']}
          activeOptions={{ exact: true }}
          {...(scope === shown && { 'data-current': true })}
        >
          {text(`work.scope.${scope}`)}
        </Link>
      ))}
    </nav>
  )
}

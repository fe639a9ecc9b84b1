import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { TrackerField } from '@waypost/sdk/api'
import { ApiCalls } from '../../design/api-snippets.tsx'
import { Loading, PageLayout } from '../../design/page.tsx'
import { RefusalNotice } from '../../design/refusal.tsx'
import { isEmptyValue } from '../../field-types/field-types.ts'
import { layOutArtifact } from '../artifact-layout.ts'
import { fieldValue, type OpenArtifact, versionsQuery } from '../artifact-queries.ts'
import { Breadcrumb } from '../breadcrumb.tsx'
import { differingFields } from './differing-fields.ts'
import { text } from './messages.ts'
import styles from './shown-version.module.css'
import { pastArtifactQuery } from './past-query.ts'
import { PastProperty, PastSection } from './past-value.tsx'
import { TimeBar } from './time-bar.tsx'

/** The artifact as it was in an earlier version; values that are different today are marked. */
export function ShownVersion({ open, version }: { readonly open: OpenArtifact; readonly version: number }) {
  const { artifact: now, tracker } = open
  const navigate = useNavigate({ from: '/artifacts/$artifact' })
  const { data: past, error, refetch } = useQuery(pastArtifactQuery(now.id, version))
  const { data: versions } = useInfiniteQuery(versionsQuery(now.id))
  const latest = Math.max(version, versions?.pages[0]?.versions[0]?.version ?? 1)
  const differing = past ? differingFields(tracker, past, now) : new Set<number>()
  const isDifferent = ({ field_id }: TrackerField) => differing.has(field_id)
  const layout = past && layOutArtifact({ tracker, artifact: past }, isDifferent)
  const compared = (field: TrackerField) => ({
    field,
    past: past && fieldValue(past, field.field_id),
    now: fieldValue(now, field.field_id),
    isDifferent: isDifferent(field),
  })
  const bar = (
    <TimeBar
      version={version}
      latest={latest}
      at={past?.as_of}
      differing={differing.size}
      onGo={(to) => void navigate({ search: { version: to }, replace: true })}
      onLeave={() => void navigate({ search: {} })}
    />
  )
  const described = layout?.description
  return (
    <PageLayout
      title={past?.title ?? now.xref}
      above={<Breadcrumb tracker={tracker} />}
      here={<b>{now.xref}</b>}
      banner={bar}
      aside={
        <aside aria-label={text('artifact.properties')}>
          {layout?.groups.map(({ heading, fields }) => (
            <section key={fields[0]?.field_id} aria-label={heading}>
              {heading !== undefined && <h2 className={styles['heading']}>{heading}</h2>}
              {fields.map((field) => (
                <PastProperty key={field.field_id} {...compared(field)} />
              ))}
            </section>
          ))}
        </aside>
      }
    >
      {error && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!layout && !error && <Loading />}
      {layout?.title && isDifferent(layout.title) && <PastSection {...compared(layout.title)} />}
      {described && <PastSection {...compared(described)} isUntitled />}
      {layout?.wide
        .map(compared)
        .filter((each) => each.isDifferent || !isEmptyValue(each.past))
        .map((each) => (
          <PastSection key={each.field.field_id} {...each} />
        ))}
      <ApiCalls
        calls={[
          { label: text('past.call'), operation: 'GET /artifacts/{id}', path: { id: now.id }, query: { version } },
        ]}
      />
    </PageLayout>
  )
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Archive } from '@waypost/sdk/api'
import { api } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { Fact } from '../design/fact.tsx'
import { SelectField } from '../design/field.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { PageLayout } from '../design/page.tsx'
import rows from '../design/rows.module.css'
import { sizeText } from '../repositories/size.ts'
import { Download } from '../shell/download.tsx'
import { text } from './messages.ts'
import { ARCHIVE_STATE_FILTERS } from './search-parameters.ts'
import styles from './administration.module.css'
import { PagedPanel } from '../design/paged-panel.tsx'

/** Archived copies of deleted artifacts. */
export function ArchivesPage() {
  const { state } = useSearch({ from: '/shell/own/administration/archives' })
  const navigate = useNavigate()
  return (
    <PageLayout title={text('archives.title')} lead={text('archives.lead')}>
      <div className={styles['filter']}>
        <SelectField
          label={text('archives.state')}
          value={state ?? 'all'}
          options={[
            { value: 'all', label: text('trash.all') },
            ...ARCHIVE_STATE_FILTERS.map((value) => ({ value, label: text(`archive.${value}`) })),
          ]}
          onChange={(chosen) => {
            const known = ARCHIVE_STATE_FILTERS.find((each) => each === chosen)
            void navigate({ to: '/administration/archives', search: known ? { state: known } : {} })
          }}
        />
      </div>
      <PagedPanel
        title={text('archives.kept')}
        none={text('archives.none')}
        queryKey={['administration', 'archives', state]}
        load={(page) => api.call('GET /archives', { query: { ...page, ...(state && { state }) } })}
        keyOf={({ id }) => id}
        row={(archive) => <ArchiveRow archive={archive} />}
      />
      <ApiCall path="/archives" />
    </PageLayout>
  )
}

function ArchiveRow({ archive }: { archive: Archive }) {
  const { id, artifact, tracker, project, deleted_by, deleted_on, state, size, file_name } = archive
  const isThere = state === 'written' || state === 'restored'
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <span>{artifact.xref}</span>
          <span className={`${rows['tag']} ${state === 'failed' ? rows['late'] : ''}`}>{text(`archive.${state}`)}</span>
        </p>
        <dl className={rows['facts']}>
          <Fact name={text('trash.of')}>{`${project.label}, ${tracker.label}`}</Fact>
          <Fact name={text('trash.deleted_by')}>
            {deleted_by?.username ?? text('log.anonymous')}, <RelativeTime at={deleted_on} />
          </Fact>
          {size !== null && <Fact name={text('tree.size')}>{sizeText(size)}</Fact>}
        </dl>
      </div>
      {isThere && file_name !== null && (
        <Download
          path={`/archives/${id}/content`}
          name={file_name}
          label={text('archives.download_what', { name: artifact.xref })}
        >
          {text('file.download')}
        </Download>
      )}
    </li>
  )
}

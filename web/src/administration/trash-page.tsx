import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { SelectField } from '../design/field.tsx'
import { PageLayout } from '../design/page.tsx'
import { text } from './messages.ts'
import { TRASH_TYPE_FILTERS } from './search-parameters.ts'
import styles from './administration.module.css'
import { PagedPanel } from '../design/paged-panel.tsx'
import { DeletedItemRow } from './deleted-item-row.tsx'

/** Everything that is deleted and can still be restored. */
export function TrashPage() {
  const { type } = useSearch({ from: '/shell/own/administration/trash' })
  const navigate = useNavigate()
  return (
    <PageLayout title={text('trash.title')} lead={text('trash.lead')}>
      <div className={styles['filter']}>
        <SelectField
          label={text('trash.type')}
          value={type ?? 'all'}
          options={[
            { value: 'all', label: text('trash.all') },
            ...TRASH_TYPE_FILTERS.map((value) => ({ value, label: text(`trash.${value}`) })),
          ]}
          onChange={(chosen) => {
            const known = TRASH_TYPE_FILTERS.find((each) => each === chosen)
            void navigate({ to: '/administration/trash', search: known ? { type: known } : {} })
          }}
        />
      </div>
      <PagedPanel
        title={text('trash.deleted')}
        none={text('trash.none')}
        queryKey={['trash', 'site', type]}
        load={(page) => api.call('GET /trash', { query: { ...page, ...(type && { type }) } })}
        keyOf={({ uri }) => uri}
        row={(entry) => <DeletedItemRow entry={entry} />}
      />
      <ApiCall path="/trash" />
    </PageLayout>
  )
}

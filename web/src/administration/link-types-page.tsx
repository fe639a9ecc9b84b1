import { queryOptions, useQuery } from '@tanstack/react-query'
import type { LinkType } from '@waypost/sdk/api'
import { useState } from 'react'
import { api, read } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import styles from './administration.module.css'
import { DeleteLinkType } from './delete-link-type.tsx'
import { LinkTypeDialog } from './link-type-dialog.tsx'
import { text } from './messages.ts'

const MAX_LINK_TYPES = 1000

const linkTypesQuery = queryOptions({
  queryKey: ['link_types'],
  queryFn: () => read(api.call('GET /link_types', { query: { limit: MAX_LINK_TYPES } })),
})

/** The types that links between artifacts can have, in all projects. */
export function LinkTypesPage() {
  const { data: types, error, refetch } = useQuery(linkTypesQuery)
  const [isNew, setNew] = useState(false)
  const add = (
    <Button kind="primary" onPress={() => setNew(true)}>
      {text('link_types.new')}
    </Button>
  )
  return (
    <PageLayout title={text('link_types')} lead={text('link_types.lead')} actions={add}>
      {error && !types ? (
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel title={text('link_types')} count={types?.length} isList>
          {!types && <Loading />}
          <ul className={rows['rows']}>
            {types?.map((type) => (
              <TypeRow key={type.shortname} type={type} />
            ))}
          </ul>
        </Panel>
      )}
      {isNew && <LinkTypeDialog onClose={() => setNew(false)} />}
      <ApiCall path="/link_types" />
    </PageLayout>
  )
}

function TypeRow({ type }: { readonly type: LinkType }) {
  const [asked, setAsked] = useState<'labels' | 'delete'>()
  const close = () => setAsked(undefined)
  const { shortname, forward_label, reverse_label, is_system, is_reserved } = type
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <span>{text('link_types.labels', { forward: forward_label, reverse: reverse_label })}</span>
          <code className={rows['tag']}>{shortname}</code>
        </p>
        {(is_system || is_reserved) && <p className={rows['facts']}>{text('link_types.built_in')}</p>}
      </div>
      {!is_system && !is_reserved && (
        <div className={styles['buttons']}>
          <Button
            aria-label={text('link_types.rename_what', { label: forward_label })}
            onPress={() => setAsked('labels')}
          >
            {text('link_types.rename')}
          </Button>
          <Button
            kind="danger"
            aria-label={text('link_types.delete_what', { label: forward_label })}
            onPress={() => setAsked('delete')}
          >
            {text('delete')}
          </Button>
        </div>
      )}
      {asked === 'labels' && <LinkTypeDialog type={type} onClose={close} />}
      {asked === 'delete' && <DeleteLinkType type={type} onClose={close} />}
    </li>
  )
}

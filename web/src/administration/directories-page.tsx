import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Directory } from '@waypost/sdk/api'
import { useState } from 'react'
import { api, read } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import rows from '../design/rows.module.css'
import styles from './administration.module.css'
import { DeleteDirectory } from './delete-directory.tsx'
import { DirectoryDialog } from './directory-dialog.tsx'
import { DirectoryTestDialog } from './directory-test-dialog.tsx'
import { text } from './messages.ts'

const directoriesQuery = queryOptions({
  queryKey: ['directories'],
  queryFn: () => read(api.call('GET /directories')),
})

/** The directories whose people sign in with their password there. */
export function DirectoriesPage() {
  const { data: directories, error, refetch } = useQuery(directoriesQuery)
  const [isNew, setNew] = useState(false)
  const add = (
    <Button kind="primary" onPress={() => setNew(true)}>
      {text('directory.new')}
    </Button>
  )
  return (
    <PageLayout title={text('directory.title')} lead={text('directory.lead')} actions={add}>
      {error && !directories ? (
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel title={text('directory.title')} count={directories?.length} isList>
          {!directories && <Loading />}
          {directories?.length === 0 && <p className={styles['empty']}>{text('directory.none')}</p>}
          <ul className={rows['rows']}>
            {directories?.map((directory) => (
              <DirectoryRow key={directory.name} directory={directory} />
            ))}
          </ul>
        </Panel>
      )}
      {isNew && <DirectoryDialog onClose={() => setNew(false)} />}
      <ApiCall path="/directories" />
    </PageLayout>
  )
}

function DirectoryRow({ directory }: { readonly directory: Directory }) {
  const [asked, setAsked] = useState<'settings' | 'test' | 'delete'>()
  const close = () => setAsked(undefined)
  const { label, name, urls, people_base, tls, is_enabled } = directory
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <span>{label}</span>
          <code className={rows['tag']}>{name}</code>
          {!is_enabled && <span className={rows['tag']}>{text('identity.off')}</span>}
          {tls === 'none' && <strong className={styles['error']}>{text('directory.clear_text')}</strong>}
        </p>
        <p className={rows['facts']}>
          <span>{urls.join(', ')}</span>
          <span>{people_base}</span>
        </p>
        <LastSync directory={directory} />
      </div>
      <div className={styles['buttons']}>
        <Button aria-label={text('identity.test_what', { label })} onPress={() => setAsked('test')}>
          {text('identity.test')}
        </Button>
        <Button aria-label={text('identity.edit_what', { label })} onPress={() => setAsked('settings')}>
          {text('identity.edit')}
        </Button>
        <Button kind="danger" aria-label={text('identity.delete_what', { label })} onPress={() => setAsked('delete')}>
          {text('delete')}
        </Button>
      </div>
      {asked === 'test' && <DirectoryTestDialog directory={directory} onClose={close} />}
      {asked === 'settings' && <DirectoryDialog directory={directory} onClose={close} />}
      {asked === 'delete' && <DeleteDirectory directory={directory} onClose={close} />}
    </li>
  )
}

function LastSync({ directory: { last_sync } }: { readonly directory: Directory }) {
  if (!last_sync) return <p className={rows['facts']}>{text('directory.never_synced')}</p>
  const { ended_on, error, counts } = last_sync
  if (ended_on === null) return <p className={rows['facts']}>{text('directory.syncing')}</p>
  const { people, created, linked, updated, suspended } = counts
  return (
    <>
      <p className={rows['facts']}>
        <span>{text('directory.synced', { people, changed: created + linked + updated, suspended })}</span>
        <RelativeTime at={ended_on} />
      </p>
      {error !== null && <p className={styles['error']}>{error}</p>}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { AccessKey } from '@waypost/sdk/api'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { Fact } from '../design/fact.tsx'
import { Day, RelativeTime } from '../design/relative-time.tsx'
import { Empty, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { text } from './messages.ts'
import { lazyPart } from '../design/lazy-part.tsx'
import { accessKeysQuery } from './access-keys-query.ts'

/** Dialogs are loaded on demand. */
const NewAccessKey = lazyPart(async () => (await import('./new-access-key.tsx')).NewAccessKey, {
  close: ({ onClose }) => onClose(),
})
const DeleteAccessKey = lazyPart(async () => (await import('./delete-access-key.tsx')).DeleteAccessKey, {
  close: ({ onClose }) => onClose(),
})

export function AccessKeysPage() {
  const [isNew, setNew] = useState(false)
  const { data: keys, error, refetch } = useQuery(accessKeysQuery)
  const generate = (
    <Button kind="primary" onPress={() => setNew(true)}>
      {text('keys.generate')}
    </Button>
  )
  return (
    <PageLayout title={text('keys.title')} lead={text('keys.lead')} actions={generate}>
      {error && !keys ? (
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel title={text('keys.yours')} count={keys?.length} isList>
          {!keys && <Loading />}
          {keys?.length === 0 && <Empty>{text('keys.none')}</Empty>}
          {keys && keys.length > 0 && (
            <ul className={rows['rows']}>
              {keys.map((key) => (
                <AccessKeyRow key={key.id} accessKey={key} />
              ))}
            </ul>
          )}
        </Panel>
      )}
      <ApiCall path="/users/self/access_keys" />
      {isNew && <NewAccessKey onClose={() => setNew(false)} />}
    </PageLayout>
  )
}

const EXPIRES_SOON_MS = 7 * 24 * 60 * 60 * 1000

function AccessKeyRow({ accessKey }: { accessKey: AccessKey }) {
  const [isAsked, setAsked] = useState(false)
  const { id, description, scopes, creation_date, expiration_date, last_used_on, last_used_by } = accessKey
  const name = description === '' ? text('keys.nameless', { id }) : description
  const isLate = expiration_date !== null && new Date(expiration_date).getTime() - Date.now() < EXPIRES_SOON_MS
  return (
    <li>
      <div>
        <div className={description === '' ? `${rows['title']} ${rows['nameless']}` : rows['title']}>
          <span>{name}</span>
          {scopes.map(({ identifier }) => (
            <code key={identifier} className={rows['tag']}>
              {identifier}
            </code>
          ))}
          {isLate && <span className={`${rows['tag']} ${rows['late']}`}>{text('keys.soon')}</span>}
        </div>
        <dl className={rows['facts']}>
          <Fact name={text('keys.created')}>
            <Day at={creation_date} />
          </Fact>
          <Fact name={text('keys.expires')}>
            {expiration_date === null ? text('never') : <Day at={expiration_date} />}
          </Fact>
          <Fact name={text('keys.last_used')}>
            {last_used_on === null ? text('never') : <RelativeTime at={last_used_on} />}
            {last_used_by !== null && ` ${text('keys.from', { address: last_used_by })}`}
          </Fact>
        </dl>
      </div>
      <Button kind="danger" aria-label={text('keys.delete_what', { name })} onPress={() => setAsked(true)}>
        {text('delete')}
      </Button>
      {isAsked && <DeleteAccessKey id={id} name={name} onClose={() => setAsked(false)} />}
    </li>
  )
}

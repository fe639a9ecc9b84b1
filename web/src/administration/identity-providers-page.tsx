import { queryOptions, useQuery } from '@tanstack/react-query'
import type { IdentityProvider } from '@waypost/sdk/api'
import { useState } from 'react'
import { api, read } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import styles from './administration.module.css'
import { DeleteIdentityProvider } from './delete-identity-provider.tsx'
import { IdentityProviderDialog } from './identity-provider-dialog.tsx'
import { IdentityProviderTest } from './identity-provider-test.tsx'
import { text } from './messages.ts'

const providersQuery = queryOptions({
  queryKey: ['identity_providers'],
  queryFn: () => read(api.call('GET /identity_providers')),
})

/** The providers by which people sign in. */
export function IdentityProvidersPage() {
  const { data: providers, error, refetch } = useQuery(providersQuery)
  const [isNew, setNew] = useState(false)
  const add = (
    <Button kind="primary" onPress={() => setNew(true)}>
      {text('identity.new')}
    </Button>
  )
  return (
    <PageLayout title={text('identity.title')} lead={text('identity.lead')} actions={add}>
      {error && !providers ? (
        <RefusalNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel title={text('identity.title')} count={providers?.length} isList>
          {!providers && <Loading />}
          {providers?.length === 0 && <p className={styles['empty']}>{text('identity.none')}</p>}
          <ul className={rows['rows']}>
            {providers?.map((provider) => (
              <ProviderRow key={provider.name} provider={provider} />
            ))}
          </ul>
        </Panel>
      )}
      {isNew && <IdentityProviderDialog onClose={() => setNew(false)} />}
      <ApiCall path="/identity_providers" />
    </PageLayout>
  )
}

function ProviderRow({ provider }: { readonly provider: IdentityProvider }) {
  const [asked, setAsked] = useState<'settings' | 'test' | 'delete'>()
  const close = () => setAsked(undefined)
  const { label, name, issuer, client_id, is_enabled } = provider
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <span>{label}</span>
          <code className={rows['tag']}>{name}</code>
          {!is_enabled && <span className={rows['tag']}>{text('identity.off')}</span>}
        </p>
        <p className={rows['facts']}>
          <span>{issuer}</span>
          <span>{client_id}</span>
        </p>
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
      {asked === 'test' && <IdentityProviderTest provider={provider} onClose={close} />}
      {asked === 'settings' && <IdentityProviderDialog provider={provider} onClose={close} />}
      {asked === 'delete' && <DeleteIdentityProvider provider={provider} onClose={close} />}
    </li>
  )
}

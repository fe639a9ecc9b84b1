import { useQuery } from '@tanstack/react-query'
import type { IdentityProvider } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import styles from './administration.module.css'
import { text } from './messages.ts'

interface Props {
  readonly provider: IdentityProvider
  readonly onClose: () => void
}

const ADDRESSES = ['redirect_uri', 'backchannel_logout_uri', 'post_logout_redirect_uri'] as const

/** The findings of a test of the provider, and the addresses that have to be registered there. */
export function IdentityProviderTest({ provider, onClose }: Props) {
  const { name, label } = provider
  const { data, error, refetch } = useQuery({
    queryKey: ['identity_provider_test', name],
    gcTime: 0,
    queryFn: () => read(api.call('POST /identity_providers/{name}/test', { path: { name } })),
  })
  return (
    <Dialog title={text('identity.findings', { label })} onClose={onClose}>
      {error && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{text('identity.testing')}</p>}
      <dl className={styles['facts']}>
        {data?.findings.map(({ state, detail }) => (
          <div key={detail}>
            <dt className={state === 'wrong' ? styles['error'] : undefined}>{text(`identity.finding.${state}`)}</dt>
            <dd>{detail}</dd>
          </div>
        ))}
      </dl>
      <h3>{text('identity.register')}</h3>
      <dl className={styles['facts']}>
        {ADDRESSES.map((address) => (
          <div key={address}>
            <dt>{text(`identity.${address}`)}</dt>
            <dd>
              <code>{provider[address]}</code>
            </dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {text('close')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

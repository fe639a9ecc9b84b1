import { useQuery } from '@tanstack/react-query'
import type { Directory } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import styles from './administration.module.css'
import { text } from './messages.ts'

interface Props {
  readonly directory: Directory
  readonly onClose: () => void
}

/** The findings of a test of the directory. */
export function DirectoryTestDialog({ directory: { name, label }, onClose }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: ['directory_test', name],
    gcTime: 0,
    queryFn: () => read(api.call('POST /directories/{name}/test', { path: { name } })),
  })
  return (
    <Dialog title={text('identity.findings', { label })} onClose={onClose}>
      {error && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{text('directory.testing')}</p>}
      <dl className={styles['facts']}>
        {data?.findings.map(({ state, detail }) => (
          <div key={detail}>
            <dt className={state === 'wrong' ? styles['error'] : undefined}>{text(`identity.finding.${state}`)}</dt>
            <dd>{detail}</dd>
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

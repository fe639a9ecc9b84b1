import { queryOptions, useQuery } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import type { PersonalExport } from '@waypost/sdk/api'
import { useState } from 'react'
import { text } from '../accounts/messages.ts'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Fact } from '../design/fact.tsx'
import { Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { Day } from '../design/relative-time.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { sizeText } from '../repositories/size.ts'
import { Download } from '../shell/download.tsx'
import { showRefusal } from '../shell/show-refusal.ts'
import styles from './profile.module.css'

const POLL_MS = 5_000

/** Null: no export was requested, or it has expired. */
const exportQuery = queryOptions({
  queryKey: ['users', 'self', 'export'],
  queryFn: async () => {
    const answer = await api.call('GET /users/self/export')
    if (answer.ok) return answer.body
    if (answer.status === 404) return null
    throw new Refusal(answer)
  },
  refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? POLL_MS : false),
})

/** Everything that is stored about the signed-in person, as a file. */
export function PersonalData() {
  const { data: made, error, refetch } = useQuery(exportQuery)
  const [isBusy, setBusy] = useState(false)
  const request = async () => {
    setBusy(true)
    const answer = await api.call('POST /users/self/export')
    setBusy(false)
    if (!answer.ok) showRefusal(answer)
    await queryClient.invalidateQueries(exportQuery)
  }
  return (
    <Panel title={text('export.title')} lead={text('export.lead')}>
      {error && made === undefined && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {made === undefined && !error && <Loading />}
      {made?.state === 'waiting' && <p role="status">{text('export.waiting')}</p>}
      {made?.state === 'ready' && <ReadyExport made={made} />}
      {made !== undefined && made?.state !== 'waiting' && (
        <Button isBusy={isBusy} onPress={() => void request()}>
          {text(made === null ? 'export.request' : 'export.again')}
        </Button>
      )}
    </Panel>
  )
}

function ReadyExport({ made: { made_on, expires_on, size } }: { readonly made: PersonalExport }) {
  return (
    <div className={styles['export']}>
      <dl className={rows['facts']}>
        {made_on !== null && (
          <Fact name={text('export.made')}>
            <Day at={made_on} />
          </Fact>
        )}
        {expires_on !== null && (
          <Fact name={text('export.expires')}>
            <Day at={expires_on} />
          </Fact>
        )}
        {size !== null && <Fact name={text('export.size')}>{sizeText(size)}</Fact>}
      </dl>
      <Download path="/users/self/export/content" name="waypost-export.zip" accept="application/zip">
        {text('export.download')}
      </Download>
    </div>
  )
}

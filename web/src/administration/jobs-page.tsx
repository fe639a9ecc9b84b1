import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Job } from '@waypost/sdk/api'
import { useState } from 'react'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Fact } from '../design/fact.tsx'
import { SelectField } from '../design/field.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { Hidden, Loading, PageLayout } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { isText, text } from './messages.ts'
import { JOB_STATE_FILTERS } from './search-parameters.ts'
import styles from './administration.module.css'
import { PagedPanel } from '../design/paged-panel.tsx'
import { showRefusal } from '../shell/show-refusal.ts'

/** Background jobs; failed ones are listed first. */
export function JobsPage() {
  const { state = 'parked' } = useSearch({ from: '/shell/own/administration/jobs' })
  const navigate = useNavigate()
  return (
    <PageLayout title={text('jobs.title')} lead={text('jobs.lead')}>
      <div className={styles['filter']}>
        <SelectField
          label={text('jobs.state')}
          value={state}
          options={JOB_STATE_FILTERS.map((value) => ({ value, label: text(`job.${value}`) }))}
          onChange={(chosen) => void navigate({ to: '/administration/jobs', search: { state: chosen } })}
        />
      </div>
      <PagedPanel
        title={text(`job.${state}`)}
        none={text(state === 'parked' ? 'jobs.none_failed' : 'jobs.none')}
        queryKey={['administration', 'jobs', state]}
        load={(page) => api.call('GET /jobs', { query: { ...page, state } })}
        keyOf={({ id }) => id}
        row={(job) => <JobRow job={job} />}
      />
      <ApiCall path={`/jobs?state=${state}`} />
    </PageLayout>
  )
}

function JobRow({ job }: { job: Job }) {
  const { id, type, state, attempts, object, created_on, run_after, last_error } = job
  const [isAsked, setAsked] = useState(false)
  const known = `job.type.${type}`
  const name = isText(known) ? text(known) : type
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <span>{name}</span>
          {object !== null && <code className={rows['tag']}>{object}</code>}
        </p>
        {last_error !== null && <p className={styles['error']}>{last_error}</p>}
        <dl className={rows['facts']}>
          <Fact name={text('jobs.since')}>
            <RelativeTime at={created_on} />
          </Fact>
          <Fact name={text('jobs.attempts')}>{attempts}</Fact>
          {run_after !== null && (
            <Fact name={text('jobs.again')}>
              <RelativeTime at={run_after} />
            </Fact>
          )}
        </dl>
        {attempts > 0 && <Attempts id={id} name={name} />}
      </div>
      {state === 'parked' && (
        <div className={styles['buttons']}>
          <Button aria-label={text('jobs.retry_what', { name, id })} onPress={() => void retry(id)}>
            {text('jobs.retry')}
          </Button>
          <Button kind="danger" aria-label={text('jobs.give_up_what', { name, id })} onPress={() => setAsked(true)}>
            {text('jobs.give_up')}
          </Button>
        </div>
      )}
      {isAsked && <GiveUp id={id} name={name} onClose={() => setAsked(false)} />}
    </li>
  )
}

function Attempts({ id, name }: { id: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['administration', 'job', id],
    enabled: isOpen,
    queryFn: () => read(api.call('GET /jobs/{id}', { path: { id } })),
  })
  return (
    <details className={styles['more']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {text('jobs.log')}
        <Hidden>{name}</Hidden>
      </summary>
      {error && !data && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {isOpen && !data && !error && <Loading />}
      <ol>
        {data?.attempts_log.map(({ on, duration_ms, error: said }) => (
          <li key={on}>
            <RelativeTime at={on} /> {text('jobs.took', { milliseconds: duration_ms })} <code>{said}</code>
          </li>
        ))}
      </ol>
    </details>
  )
}

async function retry(id: string): Promise<void> {
  const answer = await api.call('POST /jobs/{id}/retry', { path: { id } })
  if (answer.ok) showToast(text('jobs.retried'))
  else showRefusal(answer)
  await queryClient.invalidateQueries({ queryKey: ['administration'] })
}

/** Asks for confirmation: it cannot be undone. */
function GiveUp({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const giveUp = async () => {
    const answer = await api.call('DELETE /jobs/{id}', { path: { id } })
    onClose()
    if (answer.ok) showToast(text('jobs.given_up'))
    else showRefusal(answer)
    await queryClient.invalidateQueries({ queryKey: ['administration'] })
  }
  return (
    <Dialog title={text('jobs.give_up_question', { name })} isQuestion onClose={onClose}>
      <p>{text('jobs.give_up_lead')}</p>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('cancel')}
        </Button>
        <Button kind="danger" onPress={() => void giveUp()}>
          {text('jobs.give_up')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sizeOf } from '@waypost/sdk'
import { type Answer, Refusal } from '@waypost/sdk/answer'
import type { ReactNode } from 'react'
import { api, read } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { isText, text } from './messages.ts'
import styles from './administration.module.css'
import { formatNumber } from '../messages/format-number.ts'

/** The state of the server, and tasks that wait for an administrator. */
const healthQuery = {
  queryKey: ['administration', 'health'],
  refetchInterval: 30_000,
  queryFn: async () => {
    const few = { limit: 1 }
    const [ready, version, failed, waiting, archives, projects] = await Promise.all([
      readiness(),
      read(api.call('GET /version')),
      api.call('GET /jobs', { query: { state: 'parked', ...few } }).then(size),
      api.call('GET /jobs', { query: { state: 'waiting', ...few } }).then(size),
      api.call('GET /archives', { query: { state: 'failed', ...few } }).then(size),
      api.call('GET /projects', { query: { query: JSON.stringify({ with_status: 'pending' }), ...few } }).then(size),
    ])
    return { ready, version: versionText(version), failed, waiting, archives, projects }
  },
}

export function HealthPage() {
  const { data, error, refetch } = useQuery(healthQuery)
  return (
    <PageLayout title={text('health.title')} lead={text('health.lead')}>
      {error && !data && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Panel title={text('health.title')} isList>
          <Loading />
        </Panel>
      )}
      {data && (
        <dl className={styles['tiles']}>
          <Tile name={text('health.server')} isBad={data.ready !== 'ok'}>
            {obstacleText(data.ready)}
          </Tile>
          <Tile name={text('health.failed')} isBad={data.failed > 0}>
            <Link to="/administration/jobs" search={{}}>
              {shown(data.failed)}
            </Link>
          </Tile>
          <Tile name={text('health.waiting')}>
            <Link to="/administration/jobs" search={{ state: 'waiting' }}>
              {shown(data.waiting)}
            </Link>
          </Tile>
          <Tile name={text('health.archives')} isBad={data.archives > 0}>
            <Link to="/administration/archives" search={{ state: 'failed' }}>
              {shown(data.archives)}
            </Link>
          </Tile>
          <Tile name={text('health.projects')}>
            <Link to="/administration/projects" search={{ status: 'pending' }}>
              {shown(data.projects)}
            </Link>
          </Tile>
          <Tile name={text('health.version')}>{data.version}</Tile>
        </dl>
      )}
      <ApiCall path="/jobs?state=parked" />
    </PageLayout>
  )
}

function Tile({ name, isBad = false, children }: { name: string; isBad?: boolean; children: ReactNode }) {
  return (
    <div className={styles['tile']} data-bad={isBad}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function versionText({ version_number, commit }: { version_number: string; commit: string | null }): string {
  return commit === null ? version_number : `${version_number} (${commit.slice(0, 12)})`
}

/** `ok`, or the reason why the server is not ready. Calls the readiness probe, which is not part of the API. */
async function readiness(): Promise<string> {
  try {
    const answer: { status: string; obstacle?: string } = await (await fetch('/readyz')).json()
    return answer.obstacle ?? answer.status
  } catch {
    return 'unreachable'
  }
}

function obstacleText(found: string): string {
  const known = `health.${found}`
  return isText(known) ? text(known) : found
}

function size(answer: Answer<unknown>): number {
  if (!answer.ok) throw new Refusal(answer)
  return sizeOf(answer)
}

function shown(count: number): string {
  return formatNumber(count)
}

import { MAX_HEARTBEAT_AGE_S, measureWorkerPresence } from '../jobs/heartbeat.ts'
import type { DiagnosticFinding, Installation } from './diagnosis.ts'

/** Without a worker, servers respond as usual, and only the absence of its work would be noticed. */
export async function worker({ db }: Pick<Installation, 'db'>): Promise<DiagnosticFinding> {
  const { workers, age_s } = await measureWorkerPresence(db)
  const what = 'worker'
  if (age_s === null)
    return { what, state: 'wrong', detail: 'none runs: mails, webhooks, clean-up and all other jobs wait' }
  if (age_s > MAX_HEARTBEAT_AGE_S)
    return { what, state: 'wrong', detail: `none was seen for ${Math.round(age_s / 60)} minutes: all jobs wait` }
  return { what, state: 'ok', detail: workers === 1 ? 'one runs' : `${workers} run` }
}

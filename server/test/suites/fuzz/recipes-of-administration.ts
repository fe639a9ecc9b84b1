import { ADA } from '../../fixtures/people.ts'
import { BUGS, ORCHARD } from '../../fixtures/seed-ids.ts'
import type { Knowledge } from './knowledge.ts'
import { anyone, type Recipe, some } from './recipe.ts'

/** A parked job for one use; the last one is used for dry runs only. */
function parked(known: Knowledge) {
  const isLast = known.jobs.length < 2
  return { as: ADA, params: { id: (isLast ? known.jobs[0] : known.jobs.shift()) ?? '0' }, dryRun: isLast }
}

export const RECIPES_OF_ADMINISTRATION: Readonly<Record<string, Recipe>> = {
  getSettings: () => ({ as: ADA }),
  updateSettings(_known, random) {
    const changes = {
      platform_name: random.pick(['Fuzz & Co', '<Waypost>', '路标']),
      contact_email: random.pick(['', 'help@fuzz.example']),
      mail_footer: random.pick(['', 'Sent by\r\na machine']),
      trash_retention_days: random.integer(1, 3650),
      session_idle_minutes: random.integer(60, 10_080),
      webhook_private_targets: random.pick([[], ['10.0.0.0/8', 'fd00::/8']]),
      project_disk_quota: random.pick([null, 1_000_000]),
      time_zone: random.pick(['UTC', 'Asia/Kathmandu']),
      key_prefix: random.pick(['tlp', 'wp2']),
    }
    return { as: ADA, body: some(random, changes) }
  },
  listAudit(_known, random) {
    const filters = {
      actor: String(ADA.id),
      action: random.pick(['user.*', 'access_key.create', 'project.create']),
      object: 'users',
      project: String(ORCHARD),
      outcome: random.pick(['done', 'refused']),
      from: random.pick(['2026-01-01', '2020-02-29T12:00:00+01:00']),
      to: '2099-01-01',
    }
    const accept = random.pick(['application/json', 'application/xml', 'text/csv', 'application/x-ndjson'])
    const csv: Record<string, unknown> =
      accept === 'text/csv' ? some(random, { separator: 'semicolon', bom: 'true', raw: 'true' }) : {}
    return { as: ADA, query: texts({ ...some(random, filters, 0.2), ...csv }), headers: { accept } }
  },
  listJobs(_known, random) {
    const filters = { state: random.pick(['parked', 'done', 'waiting']), type: 'mail', from: '2026-01-01' }
    return { as: ADA, query: texts(some(random, filters)) }
  },
  getJob: (known, random) => ({ as: ADA, params: { id: random.pickAny(known.jobs) ?? '0' } }),
  retryJob: parked,
  giveUpJob: parked,
  listEvents(_known, random) {
    const filters = {
      after: 'now',
      types: random.pick(['artifact.*', 'project.changed, member.*', 'svn.commit']),
      project: String(ORCHARD),
      tracker: String(BUGS),
      limit: String(random.integer(1, 1000)),
    }
    return { as: anyone(random), query: texts(some(random, filters)) }
  },
  getVersion: (_known, random) => ({ as: anyone(random) }),
  getIndex: (_known, random) => ({ as: anyone(random) }),
}

function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { BUGS } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startServerProcess } from '../../../test/harness/server-process.ts'
import { allowLoopback, startReceiver } from '../../../test/peers/webhook-receiver.ts'

const { api, context } = await startWorld()
const folder = mkdtempSync(join(tmpdir(), 'waypost-tls-'))
afterAll(() => rmSync(folder, { recursive: true }))
const receiver = await startReceiver(makeCertificate())

test('a TLS receiver needs a trusted certificate', async () => {
  await allowLoopback(api)
  const { json } = await api.post(`/trackers/${BUGS}/webhooks`, { as: MARA, body: { url: receiver.url() } })
  await api.post(`/webhooks/${json.id}/test`, { as: MARA })
  await drainWorker(context)
  const [refused] = (await api.get(`/webhooks/${json.id}/deliveries`, { as: MARA })).json
  expect(refused).toMatchObject({ state: 'retrying', status: null })
  expect(refused.error).toMatch(/SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/)
  expect(await receiver.received()).toEqual([])

  const trusting = await startServerProcess({
    WAYPOST_DATABASE_URL: context.config.WAYPOST_DATABASE_URL,
    WAYPOST_ROLES: 'api,worker',
    WAYPOST_LOG_LEVEL: 'error',
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
  })
  const [request] = await receiver.until(1)
  expect(request?.headers).toMatchObject({ 'x-waypost-event': 'ping', 'x-waypost-attempt': '2' })
  await trusting.stop()
  const { json: log } = await api.get(`/webhooks/${json.id}/deliveries`, { as: MARA })
  expect(log).toMatchObject([{ state: 'delivered', attempts: 2, status: 200 }])
})

/** A certificate for this machine, from a test authority. */
function makeCertificate(): { key: string; cert: string } {
  const at = (name: string) => join(folder, name)
  const openssl = (...given: string[]) => execFileSync('openssl', given, { stdio: 'ignore' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
    '-subj',
    '/CN=Orchard',
    '-days',
    '2',
  )
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  const subject = ['-subj', '/CN=receiver', '-addext', 'basicConstraints=critical,CA:FALSE']
  openssl('req', '-x509', ...newKey, ...signed, ...subject, '-keyout', at('key.pem'), '-out', at('cert.pem'))
  return { key: readFileSync(at('key.pem'), 'utf8'), cert: readFileSync(at('cert.pem'), 'utf8') }
}

// Counts the artifacts that the caller may see, by tracker: `WAYPOST=http://localhost:8080 KEY=tlp-k1-… node
// sdk/examples/report.ts`
import { Refusal } from '@waypost/sdk/answer'
import { createClient, sizeOf } from '@waypost/sdk'

const waypost = createClient({ url: process.env['WAYPOST'] ?? 'http://localhost:8080', key: process.env['KEY'] ?? '' })

try {
  for await (const project of waypost.list('GET /projects', { query: { fields: 'label' } })) {
    process.stdout.write(`${project.label}\n`)
    const input = { path: { id: project.id }, query: { representation: 'minimal' as const } }
    for await (const tracker of waypost.list('GET /projects/{id}/trackers', input)) {
      const page = await waypost.call('GET /trackers/{id}/artifacts', { path: { id: tracker.id }, query: { limit: 1 } })
      process.stdout.write(`  ${tracker.label}: ${page.ok ? sizeOf(page) : page.reason}\n`)
    }
  }
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`${error.failure.reason}: ${error.message}\n`)
  process.exitCode = 1
}

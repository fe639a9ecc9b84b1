import { MARA } from '../../server/test/fixtures/people.ts'
import { BUG_REPORT, LEDGER_REPORT, ORCHARD } from '../../server/test/fixtures/seed-ids.ts'
import type { TestClient } from '../../server/test/harness/client.ts'

const NOTE = 'Harvest begins on **Monday**:\n\n- check the pumps, see art #1\n- count the ladders'

/** Mara pins one widget of each kind; the last one shows a report of a tracker that Tom does not see. */
export async function makeDashboard(api: TestClient): Promise<void> {
  const widgets = [
    { type: 'count', report_id: BUG_REPORT, title: 'Bugs in all' },
    { type: 'note', title: 'Before the harvest', text: NOTE },
    { type: 'chart', report_id: BUG_REPORT, title: 'Bugs by status' },
    { type: 'report', report_id: BUG_REPORT },
    { type: 'chart', report_id: BUG_REPORT, title: 'Bugs over time', span: 'month' },
    { type: 'report', report_id: LEDGER_REPORT },
  ]
  const { status, text } = await api.put(`/projects/${ORCHARD}/dashboard`, { as: MARA, body: { widgets } })
  if (status !== 200) throw new Error(text)
}

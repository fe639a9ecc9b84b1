import { setProjectDashboard } from '../../trackers/dashboards/set-project-dashboard.ts'
import { createReport } from '../../trackers/reports/create-report.ts'
import { type DemoPlaces, type DemoScene, idOf } from './demo-scene.ts'

const NOTE =
  'Release **4.2** is cut on Friday.\n\n- [x] no open critical bug in payouts\n- [ ] double charges are fixed and verified\n- [ ] load test with 3,000 payments a minute'

/** Public reports of the team, and the dashboard that shows them. */
export async function loadDemoDashboard(
  scene: DemoScene,
  project: number,
  { tasks, bugs }: Pick<DemoPlaces, 'tasks' | 'bugs'>,
): Promise<void> {
  const makeReport = async (tracker: number, body: object) =>
    idOf(await scene.call('mara', createReport, { params: { id: tracker }, body: { public: true, ...body } }))
  const sprint = await makeReport(tasks, {
    label: 'Sprint',
    default: true,
    expert_query: '@status = OPEN() ORDER BY due',
    renderers: [table(['summary', 'status', 'priority', 'assigned_to', 'due', 'points'])],
  })
  const allTasks = await makeReport(tasks, { label: 'All tasks', expert_query: '@id > 0' })
  const urgent = await makeReport(bugs, {
    label: 'Urgent and high',
    expert_query: "@status = OPEN() AND priority IN ('Urgent', 'High') ORDER BY due_date",
    renderers: [table(['title', 'status', 'priority', 'assigned_to', 'due_date'])],
  })
  const allBugs = await makeReport(bugs, { label: 'All bugs', expert_query: '@id > 0' })
  const widgets = [
    { type: 'count', report_id: urgent, title: 'Urgent and high bugs' },
    { type: 'count', report_id: sprint, title: 'Open tasks' },
    { type: 'note', title: 'Release 4.2', text: NOTE },
    { type: 'chart', report_id: allBugs, title: 'Bugs by severity', by: 'severity' },
    { type: 'chart', report_id: allTasks, title: 'Tasks by status' },
    { type: 'report', report_id: urgent },
    { type: 'chart', report_id: allBugs, title: 'Bugs in the last month', span: 'month' },
  ]
  await scene.call('mara', setProjectDashboard, { params: { id: project }, body: { widgets } })
}

function table(columns: readonly string[]) {
  return { type: 'table', label: 'Table', columns }
}

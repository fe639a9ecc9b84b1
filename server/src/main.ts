import { isArmed } from '#failpoint'
import { createSignIn } from './accounts/sign-in/sign-in.ts'
import { createContext } from './context.ts'
import { JOBS, POLLERS, RECURRING_JOBS } from './jobs.ts'
import { WEB_PAGES } from './pages.ts'
import { readConfig } from './platform/operation/config.ts'
import { judgeNode } from './platform/operation/node-versions.ts'
import { createServer } from './platform/http/http.ts'
import { readWebUi, serveWebUi, WEB_UI_FOLDER } from './platform/http/web-ui.ts'
import { startMonitorServer } from './platform/operation/monitor-server.ts'
import { shutDownOnSignal } from './platform/operation/shutdown.ts'
import { superviseWorker } from './platform/jobs/supervise-worker.ts'
import { startWorker } from './platform/jobs/worker.ts'
import { onPool } from './platform/operation/context.ts'
import { serveSubversion } from './repositories/serve-subversion.ts'
import { ROUTES } from './routes.ts'

const config = readConfig(process.env)
if (isArmed && config.WAYPOST_ENVIRONMENT === 'production')
  throw new Error('With `--conditions=faults` this process could be made to kill itself: not in production.')

const context = await createContext(config)
const node = judgeNode(process.versions.node)
if (node.state !== 'safe') context.log.warn(node.detail)
const { api, worker: works } = config.WAYPOST_ROLES
const server = api ? createServer(context, createSignIn(context), ROUTES, WEB_PAGES) : undefined
const pages = server && (await readWebUi(WEB_UI_FOLDER))
if (server && pages) serveWebUi(server, pages, config, () => context.settings.current.language)
else if (server)
  context.log.warn('The web pages are not built, so only the API is served. Build them with npm run build.')
const jobContext = onPool(context, 'jobs')
const work = () => startWorker(jobContext, JOBS, RECURRING_JOBS, POLLERS)
const worker = works ? await superviseWorker(work, context.log) : undefined
const subversion = api ? await serveSubversion(context) : undefined
const monitor = server ? undefined : await startMonitorServer(context, worker)
shutDownOnSignal(context, { server, worker, monitor, others: subversion })
await server?.listen({ host: config.WAYPOST_HOST, port: config.WAYPOST_PORT })

// A child of another Waypost process exits with its parent, even if the parent is killed.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

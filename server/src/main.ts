import { isArmed } from '#failpoint'
import { createSignIn } from './accounts/sign-in/sign-in.ts'
import { createContext } from './context.ts'
import { JOBS, PUMPS, RECURRING } from './jobs.ts'
import { PAGES } from './pages.ts'
import { readConfig } from './platform/operation/config.ts'
import { createServer } from './platform/http/http.ts'
import { readWebUi, serveWebUi, WEB_UI } from './platform/http/web-ui.ts'
import { endOnSignal } from './platform/operation/shutdown.ts'
import { keepWorking } from './platform/jobs/keep-working.ts'
import { startWorker } from './platform/jobs/worker.ts'
import { serveSubversion } from './repositories/serve-subversion.ts'
import { ROUTES } from './routes.ts'

const config = readConfig(process.env)
if (isArmed && config.WAYPOST_ENVIRONMENT === 'production')
  throw new Error('With `--conditions=faults` this process could be made to kill itself: not in production.')

const context = await createContext(config)
const { api, worker: works } = config.WAYPOST_ROLES
const server = api ? createServer(context, createSignIn(context), ROUTES, PAGES) : undefined
const pages = server && (await readWebUi(WEB_UI))
if (server && pages) serveWebUi(server, pages, config)
else if (server) context.log.warn('There are no pages for people, only the API: nobody has built them (npm run build).')
const work = () => startWorker(context, JOBS, RECURRING, PUMPS)
const worker = works ? await keepWorking(work, context.log) : undefined
const subversion = api ? await serveSubversion(context) : undefined
endOnSignal(context, { server, worker, others: subversion })
await server?.listen({ host: config.WAYPOST_HOST, port: config.WAYPOST_PORT })

// Started by another process of ours, it ends with that one, however that one ended.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

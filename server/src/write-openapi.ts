import { writeFile } from 'node:fs/promises'
import { describeApi } from './platform/openapi/describe-api.ts'
import { ROUTES } from './routes.ts'

/** Writes `openapi.json` from the routes: `npm run openapi`. */
await writeFile(new URL('../../openapi.json', import.meta.url), `${JSON.stringify(describeApi(ROUTES), null, 2)}\n`)

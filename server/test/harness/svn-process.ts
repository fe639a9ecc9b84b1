import { createContext } from '../../src/context.ts'
import { readConfig } from '../../src/platform/operation/config.ts'
import { runJobs } from './run-jobs.ts'
import { closePools } from '../../src/platform/database/pools.ts'

// Runs the waiting jobs in a process that a failpoint may kill.
const context = await createContext(readConfig(process.env))
await runJobs(context)
await closePools(context.pools)

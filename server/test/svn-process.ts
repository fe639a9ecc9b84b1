import { createContext } from '../src/context.ts'
import { readConfig } from '../src/platform/operation/config.ts'
import { runJobs } from './run-jobs.ts'

// Runs the jobs that wait, in a process that a failpoint may kill.
const context = await createContext(readConfig(process.env))
await runJobs(context)
await context.db.destroy()

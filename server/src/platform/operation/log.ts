import { destination, type Logger, pino } from 'pino'

/**
 * Logs to standard output. If a write fails (full disk, closed pipe), the line is lost and the server continues:
 * unhandled, the error would end the process.
 */
export function createLog(level: string): Logger {
  const open = () => {
    const fresh = destination({ dest: 1, sync: true })
    fresh.on('error', () => {
      out = open() // The failed destination would keep its buffer and retry for ever at exit.
    })
    return fresh
  }
  let out = open()
  return pino({ level }, { write: (line) => void out.write(line) })
}

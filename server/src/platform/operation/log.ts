import { destination, type Logger, pino } from 'pino'

/**
 * Writes lines to standard output. Where it takes none, on a disk that is full or for a reader who has gone, the line is
 * lost and the server goes on: left alone, such a failure would be thrown where nobody catches it, and end the process.
 */
export function createLog(level: string): Logger {
  const open = () => {
    const fresh = destination({ dest: 1, sync: true })
    fresh.on('error', () => {
      out = open() // What it could not write it would keep, and try again at the end of the process for ever.
    })
    return fresh
  }
  let out = open()
  return pino({ level }, { write: (line) => void out.write(line) })
}

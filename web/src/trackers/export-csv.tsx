import { readFailure } from '@waypost/sdk/answer'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { refusalText } from '../design/refusal.tsx'
import { tell } from '../shell/toasts.ts'
import { text } from './words.ts'

/**
 * All rows as a file. The session counts only for what the page itself asks for, not for addresses that somebody is led
 * to; so it is read here, and handed over when it is whole.
 */
export function ExportCsv({ path, name }: { path: string; name: string }) {
  const [isRunning, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    try {
      const response = await api.open(path, { accept: 'text/csv' }, new AbortController().signal)
      if (response.ok) handOver(await response.blob(), `${name}.csv`)
      else tell(refusalText(readFailure(response.status, response.headers, await response.text())), { isTrouble: true })
    } catch {
      tell(text('table.export.cut'), { isTrouble: true })
    } finally {
      setRunning(false)
    }
  }
  return (
    <Button isDisabled={isRunning} onPress={() => void run()} aria-label={text('table.export.hint')}>
      {text(isRunning ? 'table.export.running' : 'table.export')}
    </Button>
  )
}

function handOver(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

import { readFailure } from '@waypost/sdk/answer'
import { type ReactNode, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { text } from '../words/text.ts'
import { tell } from './toasts.ts'
import { tellRefusal } from './tell-refusal.ts'

interface Props {
  /** Below `/api`. */
  readonly path: string
  readonly name: string
  readonly accept?: string
  /** What those hear who do not see what stands beside it. */
  readonly label?: string
  readonly children: ReactNode
}

/**
 * Saves an answer of the API as a file. The session counts only for what the page itself asks for, not for addresses that
 * somebody is led to; so it is read here, and handed over when it is whole.
 */
export function Download({ path, name, accept = '*/*', label, children }: Props) {
  const [isRunning, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    try {
      const response = await api.open(path, { accept }, new AbortController().signal)
      if (response.ok) handOver(await response.blob(), name)
      else tellRefusal(readFailure(response.status, response.headers, await response.text()))
    } catch {
      tell(text('download.cut'), { isTrouble: true })
    } finally {
      setRunning(false)
    }
  }
  return (
    <Button isBusy={isRunning} onPress={() => void run()} {...(label !== undefined && { 'aria-label': label })}>
      {isRunning ? text('download.running') : children}
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

import { readFailure } from '@waypost/sdk/answer'
import { type ReactNode, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { text } from '../messages/text.ts'
import { showToast } from '../design/toasts.ts'
import { showRefusal } from './show-refusal.ts'

interface Props {
  /** The path below `/api`. */
  readonly path: string
  readonly name: string
  readonly accept?: string
  /** A label for screen readers, where the visible text needs context. */
  readonly label?: string
  readonly children: ReactNode
}

/**
 * Saves a response of the API as a file. The session is accepted only for requests of the page itself, not for
 * navigation, so the page downloads the file and hands it to the browser.
 */
export function Download({ path, name, accept = '*/*', label, children }: Props) {
  const [isRunning, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    try {
      const response = await api.open(path, { accept }, new AbortController().signal)
      if (response.ok) handOver(await response.blob(), name)
      else showRefusal(readFailure(response.status, response.headers, await response.text()))
    } catch {
      showToast(text('download.cut'), { isTrouble: true })
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

import { useEffect, useRef, useState } from 'react'

/**
 * Takes files that are dropped or pasted anywhere on the page, if nothing nearer took them. Listens on the body: after
 * React's own handlers, and before the document refuses stray files. Resolves to true while files are over the page.
 */
export function usePageFiles(take: ((files: Iterable<File>) => void) | undefined): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(take)
  latest.current = take
  const isActive = take !== undefined
  useEffect(() => {
    if (!isActive) return undefined
    const { body } = document
    const end = new AbortController()
    const { signal } = end
    const receive = (event: Event, transfer: DataTransfer | null) => {
      const files = [...(transfer?.files ?? [])]
      if (event.defaultPrevented || files.length === 0) return
      event.preventDefault()
      latest.current?.(files)
    }
    const over = (event: DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      receive(event, event.dataTransfer)
    }
    body.addEventListener('dragover', over, { signal })
    body.addEventListener('dragleave', leave, { signal })
    body.addEventListener('drop', drop, { signal })
    body.addEventListener('paste', (event) => receive(event, event.clipboardData), { signal })
    return () => end.abort()
  }, [isActive])
  return isOver
}

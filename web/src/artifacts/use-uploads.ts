import type { Failure } from '@waypost/sdk/answer'
import { useEffect, useRef, useState } from 'react'
import { uploadFile } from './upload-file.ts'

export interface Upload {
  readonly key: number
  readonly file: File
  /** Progress from 0 to 1. */
  readonly part: number
  readonly failure?: Failure | undefined
}

let lastKey = 0

/** Uploads files for a field one after the other. Failed uploads stay in the list and can be resumed. */
export function useUploads(fieldId: number, onDone: (id: number, file: File) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const stop = useRef<AbortController>(undefined)
  const queue = useRef<Promise<void>>(Promise.resolve())
  const done = useRef(onDone)
  done.current = onDone
  useEffect(() => {
    stop.current = new AbortController()
    return () => stop.current?.abort()
  }, [])

  const change = (key: number, to: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...to } : each)))
  const remove = (key: number) => setUploads((all) => all.filter((each) => each.key !== key))

  const send = async ({ key, file }: Upload) => {
    const signal = stop.current?.signal
    if (!signal || signal.aborted) return
    const sent = await uploadFile(fieldId, file, { signal, onProgress: (part) => change(key, { part }) })
    if (signal.aborted) return
    if (!sent.ok) return change(key, { failure: sent })
    remove(key)
    done.current(sent.id, file)
  }
  const start = (upload: Upload) => {
    queue.current = queue.current.then(() => send(upload))
  }

  return {
    uploads,
    add: (files: Iterable<File>) => {
      const added = [...files].map((file) => ({ key: ++lastKey, file, part: 0 }))
      setUploads((all) => [...all, ...added])
      for (const upload of added) start(upload)
    },
    retry: (upload: Upload) => {
      change(upload.key, { failure: undefined })
      start(upload)
    },
    remove,
  }
}

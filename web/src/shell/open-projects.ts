import { useEffect, useState } from 'react'

const STORAGE_KEY = 'waypost.open_projects'

/** The projects whose trackers the sidebar shows; kept on the device. The current project opens by itself. */
export function useOpenProjects(current: number | undefined) {
  const [open, setOpen] = useState<ReadonlySet<number>>(load)
  const set = (id: number, isOpen: boolean) =>
    setOpen((before) => {
      const next = new Set(before)
      if (isOpen) next.add(id)
      else next.delete(id)
      localStorage.setItem(STORAGE_KEY, [...next].join())
      return next
    })
  useEffect(() => {
    if (current !== undefined) set(current, true)
  }, [current])
  return { open, set }
}

/** The ids tell which projects a person works in, so signing out deletes them. */
export function deleteOpenProjects(): void {
  localStorage.removeItem(STORAGE_KEY)
}

function load(): ReadonlySet<number> {
  const stored = localStorage.getItem(STORAGE_KEY) ?? ''
  return new Set(
    stored
      .split(',')
      .map(Number)
      .filter((id) => id > 0),
  )
}

import { useState } from 'react'

const STORAGE_KEY = 'waypost.sidebar'

/** Whether the sidebar shows icons only; kept on the device. */
export function useSidebarCollapsed(): readonly [boolean, () => void] {
  const [isCollapsed, setCollapsed] = useState(() => localStorage.getItem(STORAGE_KEY) === 'collapsed')
  const toggle = () => {
    localStorage.setItem(STORAGE_KEY, isCollapsed ? 'open' : 'collapsed')
    setCollapsed(!isCollapsed)
  }
  return [isCollapsed, toggle]
}

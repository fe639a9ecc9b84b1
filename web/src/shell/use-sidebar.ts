import { useState } from 'react'
import { isSidebarCollapsed, storeSidebarCollapsed } from './appearance.ts'

/** Whether the sidebar shows icons only, and a function that changes it. */
export function useSidebarCollapsed(): readonly [boolean, () => void] {
  const [isCollapsed, setCollapsed] = useState(isSidebarCollapsed)
  const toggle = () => {
    storeSidebarCollapsed(!isCollapsed)
    setCollapsed(!isCollapsed)
  }
  return [isCollapsed, toggle]
}

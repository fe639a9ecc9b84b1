export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

export function currentTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem('waypost.theme')) ?? 'system'
}

/** Stored per device, because lighting differs per screen. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem('waypost.theme', theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function currentDensity(): Density {
  return DENSITIES.find((density) => density === localStorage.getItem('waypost.density')) ?? 'comfortable'
}

export function chooseDensity(density: Density): void {
  localStorage.setItem('waypost.density', density)
  if (density === 'comfortable') delete document.documentElement.dataset['density']
  else document.documentElement.dataset['density'] = density
}

export function isSidebarCollapsed(): boolean {
  return localStorage.getItem('waypost.sidebar') === 'collapsed'
}

export function storeSidebarCollapsed(isCollapsed: boolean): void {
  localStorage.setItem('waypost.sidebar', isCollapsed ? 'collapsed' : 'open')
}

import type { MessageKey } from '../messages/text.ts'

/** Destinations available everywhere, in the palette and by two letters. */
export const NAVIGATION_COMMANDS = [
  { id: 'home', label: 'nav.home', keys: 'g h', to: '/' },
  { id: 'inbox', label: 'inbox.title', keys: 'g i', to: '/inbox' },
  { id: 'work', label: 'nav.work', keys: 'g m', to: '/my-work' },
  { id: 'search', label: 'nav.search', keys: 'g f', to: '/search' },
  { id: 'dashboard', label: 'nav.dashboard', keys: 'g d', to: '/dashboard' },
  { id: 'projects', label: 'nav.projects', keys: 'g p', to: '/projects' },
  { id: 'profile', label: 'profile.title', keys: 'g u', to: '/account/profile' },
  { id: 'keys', label: 'keys.title', keys: 'g k', to: '/account/keys-tokens' },
  { id: 'security', label: 'security.title', keys: 'g s', to: '/account/security' },
  { id: 'notifications', label: 'notices.title', keys: 'g n', to: '/account/notifications' },
  { id: 'appearance', label: 'appearance.title', keys: 'g a', to: '/account/appearance' },
] as const satisfies readonly { id: string; label: MessageKey; keys: string; to: string }[]

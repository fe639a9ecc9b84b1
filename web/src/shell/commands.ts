import { useNavigate } from '@tanstack/react-router'
import type { MessageKey } from '../messages/text.ts'
import { text } from '../messages/text.ts'
import { THEMES, chooseTheme } from './appearance.ts'
import { signOut, useSession } from '../accounts/session.ts'

export interface PaletteCommand {
  readonly id: string
  readonly label: string
  /** The keys, pressed one after the other. */
  readonly keys?: string
  run(): void
}

/** Destinations available everywhere, in the palette and by two letters. */
export const NAVIGATION_COMMANDS = [
  { id: 'home', label: 'nav.home', keys: 'g h', to: '/' },
  { id: 'inbox', label: 'inbox.title', keys: 'g i', to: '/inbox' },
  { id: 'work', label: 'nav.work', keys: 'g m', to: '/my-work' },
  { id: 'projects', label: 'nav.projects', keys: 'g p', to: '/projects' },
  { id: 'profile', label: 'profile.title', keys: 'g u', to: '/account/profile' },
  { id: 'keys', label: 'keys.title', keys: 'g k', to: '/account/keys-tokens' },
  { id: 'security', label: 'security.title', keys: 'g s', to: '/account/security' },
  { id: 'notifications', label: 'notices.title', keys: 'g n', to: '/account/notifications' },
  { id: 'appearance', label: 'appearance.title', keys: 'g a', to: '/account/appearance' },
] as const satisfies readonly { id: string; label: MessageKey; keys: string; to: string }[]

/** Shortcuts that are not commands of the palette. */
export const OTHER_SHORTCUTS: readonly { keys: string; label: MessageKey }[] = [
  { keys: 'Ctrl K', label: 'shortcut.palette' },
  { keys: '/', label: 'shortcut.palette' },
  { keys: '?', label: 'shortcut.list' },
  { keys: 'u', label: 'shortcut.undo' },
  { keys: 'Ctrl Z', label: 'shortcut.undo' },
  { keys: 'r', label: 'shortcut.read' },
  { keys: '[', label: 'shortcut.sidebar' },
  { keys: 'c', label: 'shortcut.new' },
  { keys: 'm', label: 'shortcut.comment' },
  { keys: 'e', label: 'shortcut.edit' },
  { keys: 'w', label: 'shortcut.watch' },
  { keys: 'Space', label: 'shortcut.hold' },
  { keys: 'm', label: 'shortcut.move' },
  { keys: 'Shift ← ↑ → ↓', label: 'shortcut.move_card' },
  { keys: 'Alt ↑ ↓', label: 'shortcut.move_row' },
  { keys: 'Ctrl Enter', label: 'shortcut.save' },
  { keys: 'f', label: 'shortcut.filter' },
  { keys: '← ↑ → ↓', label: 'shortcut.cell' },
  { keys: 'j k', label: 'shortcut.row' },
  { keys: 'Home End', label: 'shortcut.row_ends' },
  { keys: 'Ctrl Home End', label: 'shortcut.table_ends' },
  { keys: 'Enter', label: 'shortcut.open' },
  { keys: 'e F2', label: 'shortcut.cell_edit' },
  { keys: 'x', label: 'shortcut.choose' },
  { keys: 'Shift ↑ ↓', label: 'shortcut.choose_more' },
  { keys: 'Ctrl a', label: 'shortcut.choose_all' },
  { keys: 'b', label: 'shortcut.bulk' },
  { keys: 'S', label: 'shortcut.sort' },
  { keys: 's', label: 'shortcut.pick_status' },
  { keys: 'a', label: 'shortcut.pick_assignee' },
  { keys: 'p', label: 'shortcut.pick_priority' },
  { keys: 'd', label: 'shortcut.pick_due' },
  { keys: '↑ ↓ ← →', label: 'shortcut.matrix' },
  { keys: 'h', label: 'shortcut.history' },
  { keys: 'b', label: 'shortcut.blame' },
  { keys: 'l', label: 'shortcut.line' },
  { keys: 'y', label: 'shortcut.fixed' },
  { keys: 'p', label: 'shortcut.previous' },
  { keys: 'n', label: 'shortcut.next' },
]

export function useCommands(): PaletteCommand[] {
  const navigate = useNavigate()
  const { data: session } = useSession()
  const places = NAVIGATION_COMMANDS.map(({ id, label, keys, to }) => ({
    id,
    label: text('command.go', { place: text(label) }),
    keys,
    run: () => void navigate({ to }),
  }))
  const themes = THEMES.map((theme) => ({
    id: `theme-${theme}`,
    label: text('command.theme', { theme: text(`theme.${theme}`) }),
    run: () => chooseTheme(theme),
  }))
  const apart = {
    id: 'administration',
    label: text('command.go', { place: text('administration') }),
    run: () => void navigate({ to: '/administration' }),
  }
  const explorer = { id: 'explorer', label: text('nav.explorer'), run: () => location.assign('/api/explorer/') }
  const leave = { id: 'sign-out', label: text('sign_out'), run: () => void signOut() }
  const isAdministrator = session?.user.is_site_admin === true
  return [...places, ...(isAdministrator ? [apart] : []), ...themes, explorer, ...(session ? [leave] : [])]
}

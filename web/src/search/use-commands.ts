import { useNavigate } from '@tanstack/react-router'
import { signOut, useSession } from '../accounts/session.ts'
import { useProjectCreation } from '../projects/project-creation.ts'
import { chooseTheme, THEMES } from '../shell/appearance.ts'
import { NAVIGATION_COMMANDS } from '../shell/commands.ts'
import { text } from './messages.ts'

export interface PaletteCommand {
  readonly id: string
  readonly label: string
  /** The keys, pressed one after the other. */
  readonly keys?: string
  run(): void
}

/** Commands of every page. */
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
  const creation = useProjectCreation()
  const mayCreate = creation === 'direct' || creation === 'approval'
  const project = {
    id: 'new-project',
    label: text('action.new_project'),
    run: () => void navigate({ to: '/projects/new' }),
  }
  const apart = {
    id: 'administration',
    label: text('command.go', { place: text('administration') }),
    run: () => void navigate({ to: '/administration' }),
  }
  const help = {
    id: 'help',
    label: text('command.go', { place: text('nav.help') }),
    run: () => void navigate({ to: '/help/$topic', params: { topic: 'search' } }),
  }
  const report = {
    id: 'report',
    label: text('command.go', { place: text('nav.report') }),
    run: () => void navigate({ to: '/report' }),
  }
  const explorer = { id: 'explorer', label: text('nav.explorer'), run: () => location.assign('/api/explorer/') }
  const leave = { id: 'sign-out', label: text('sign_out'), run: () => void signOut() }
  const isAdministrator = session?.user.is_site_admin === true
  return [
    ...(mayCreate ? [project] : []),
    ...places,
    ...(session ? [report] : []),
    ...(isAdministrator ? [apart] : []),
    ...themes,
    help,
    explorer,
    ...(session ? [leave] : []),
  ]
}

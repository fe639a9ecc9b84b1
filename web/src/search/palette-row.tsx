import type { ListedObject, QuickArtifact, QuickProject, QuickTracker, UserMinimal } from '@waypost/sdk/api'
import { ArrowRight, Search, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import { toHue } from '../design/hue.ts'
import { Icon } from '../design/icon.tsx'
import { Avatar, ProjectMark, TrackerMark } from '../design/marks.tsx'
import { GlyphElsewhere } from '../field-types/status-elsewhere.tsx'
import { ListedMark } from '../personal-lists/listed-mark.tsx'
import { NAVIGATION_COMMANDS } from '../shell/commands.ts'
import { Keys } from '../shell/keys.tsx'
import styles from './command-palette.module.css'
import { text } from './messages.ts'
import type { PaletteCommand } from './use-commands.ts'

export interface PaletteRow {
  readonly id: string
  readonly label: string
  readonly mark: ReactNode
  /** Before the label, as `bug #105`. */
  readonly reference?: string
  /** Below the label. */
  readonly snippet?: string | null
  readonly end?: ReactNode
  /** An address of the pages, or what to do. */
  readonly run: string | (() => void)
  /** The artifact that can be shown beside the screen. */
  readonly peek?: number
}

export interface PaletteAction extends PaletteCommand {
  readonly detail?: string
}

export interface PaletteSection {
  readonly name: string
  readonly rows: readonly PaletteRow[]
}

export function artifactRow(artifact: QuickArtifact): PaletteRow {
  const { id, uri, xref, title, tracker, status, is_open, assignees, snippet, html_url } = artifact
  const [assignee] = assignees
  return {
    id: uri,
    label: title ?? xref,
    mark: <TrackerMark label={tracker.label} color={tracker.color_name} />,
    reference: xref,
    snippet,
    run: html_url,
    peek: id,
    end: (
      <>
        {status && (
          <span className={styles['status']} data-hue={toHue(status.color)}>
            <GlyphElsewhere tracker={tracker.id} status={status} isOpen={is_open} />
            {status.value}
          </span>
        )}
        {assignee && <Avatar person={{ ...assignee, name: assignee.real_name ?? '' }} size={20} />}
      </>
    ),
  }
}

/** The way to the search page. */
export function allResultsRow(query: string, run: () => void): PaletteRow {
  const label = text('palette.all', { query })
  return { id: 'all-results', label, mark: <Icon of={Search} />, end: <Keys keys="Ctrl ↵" />, run }
}

/** An object that the viewer has opened before. */
export function recentRow(object: ListedObject): PaletteRow {
  const { id, uri, label, xref, project, kind, html_url } = object
  return {
    id: uri,
    label,
    mark: <ListedMark object={object} />,
    ...(xref !== null && { reference: xref }),
    end: kind === 'project' ? text('palette.project') : project.label,
    run: html_url,
    ...(kind === 'artifact' && { peek: id }),
  }
}

export function trackerRow({ uri, label, color_name: color, html_url, project }: QuickTracker): PaletteRow {
  return { id: uri, label, mark: <TrackerMark label={label} color={color} />, end: project.label, run: html_url }
}

export function projectRow({ id, uri, label_without_icon: label, html_url }: QuickProject): PaletteRow {
  return { id: uri, label, mark: <ProjectMark id={id} label={label} />, end: text('palette.project'), run: html_url }
}

export function personRow(person: UserMinimal): PaletteRow {
  const { id, real_name, display_name, username, user_url } = person
  const label = real_name ?? display_name
  const end = username === null ? null : `@${username}`
  // The page of a person is not one of these pages.
  const run = () => location.assign(user_url ?? '/')
  return { id: `users/${id}`, label, mark: <Avatar person={{ ...person, name: label }} />, end, run }
}

export function actionRow(action: PaletteAction): PaletteRow {
  const { id, label, keys, detail } = action
  const icon = NAVIGATION_COMMANDS.some((place) => place.id === id) ? ArrowRight : Zap
  const end = detail ?? (keys === undefined ? null : <Keys keys={keys} />)
  return { id: `action-${id}`, label, mark: <Icon of={icon} />, end, run: () => action.run() }
}

import type { TrackerField, Value } from '@waypost/sdk/api'
import { Fragment, memo, type ReactNode } from 'react'
import { DayOf, Moment } from '../design/moment.tsx'
import { Hidden } from '../design/page.tsx'
import { Swatch } from '../design/swatch.tsx'
import { counted, text } from './words.ts'
import { ArtifactLink } from './artifact-link.tsx'
import { type Attachment, type Choice, type Linked, readValue, type Shown } from './read-value.ts'
import { plainText, RichText } from './rich-text.tsx'
import styles from './show-value.module.css'

interface Props {
  /** Undefined: nothing is stored. */
  value: Value | undefined
  /** Of the tracker; it names the types of links. */
  field?: TrackerField | undefined
  /** In one line, without links and pictures: a cell of a table. */
  isShort?: boolean
}

/** What a field holds, whatever its type. */
export const ShowValue = memo(function ShowValue({ value, field, isShort = false }: Props) {
  const shown = readValue(value)
  if (shown.kind === 'empty') return isShort ? null : <Nothing />
  return isShort ? <Short shown={shown} /> : <Whole shown={shown} field={field} />
})

function Nothing() {
  return (
    <span className={styles['nothing']}>
      <span aria-hidden>–</span>
      <Hidden>{text('value.empty')}</Hidden>
    </span>
  )
}

type Filled = Exclude<Shown, { kind: 'empty' }>

function Short({ shown }: { shown: Filled }) {
  switch (shown.kind) {
    case 'rich':
      return plainText(shown.isHtml ? shown.html : shown.source, shown.isHtml)
    case 'choices':
      return <Choices choices={shown.choices} />
    case 'links':
      return shown.links.map(({ tracker, id }) => `${tracker} #${id}`).join(', ')
    case 'files':
      return shown.files.map(({ name }) => name).join(', ')
    case 'references':
      return shown.references.map(({ ref }) => ref).join(', ')
    case 'text':
    case 'number':
    case 'day':
    case 'moment':
    case 'people':
    case 'burndown':
    default:
      return <Whole shown={shown} />
  }
}

function Whole({ shown, field }: { shown: Filled; field?: TrackerField | undefined }): ReactNode {
  switch (shown.kind) {
    case 'text':
      return shown.text
    case 'rich':
      return <RichText html={shown.html} />
    case 'number':
      return (
        <span className={styles['number']} title={shown.isSum ? text('value.sum') : undefined}>
          {new Intl.NumberFormat(undefined, { maximumFractionDigits: 10 }).format(shown.number)}
        </span>
      )
    case 'day':
      return <DayOf day={shown.day} />
    case 'moment':
      return <Moment at={shown.at} />
    case 'choices':
      return <Choices choices={shown.choices} />
    case 'people':
      return shown.people.map(({ id, name, login }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <span title={`@${login}`}>{name}</span>
        </Fragment>
      ))
    case 'files':
      return <Files files={shown.files} />
    case 'links':
      return <Links links={shown.links} field={field} />
    case 'references':
      return (
        <ul className={styles['list']}>
          {shown.references.map(({ ref, url }) => (
            <li key={`${ref} ${url}`}>
              <a href={url}>{ref}</a>
            </li>
          ))}
        </ul>
      )
    case 'burndown': {
      const last = shown.points.at(-1)
      return last && counted('value.left_one', 'value.left', last.left)
    }
    default:
      return shown satisfies never
  }
}

export function Choices({ choices }: { choices: readonly Choice[] }) {
  return (
    <span className={styles['choices']}>
      {choices.map(({ id, label, color }, index) => (
        <span key={id} className={styles['choice']}>
          <Swatch color={color} />
          {label}
          {index < choices.length - 1 && <Hidden>, </Hidden>}
        </span>
      ))}
    </span>
  )
}

function Files({ files }: { files: readonly Attachment[] }) {
  return (
    <ul className={styles['list']}>
      {files.map(({ id, name, description, size, url }) => (
        <li key={id}>
          <a href={url}>{name}</a> <small>{sizeText(size)}</small>
          {description !== '' && <small> {description}</small>}
        </li>
      ))}
    </ul>
  )
}

function Links({ links, field }: { links: readonly Linked[]; field: TrackerField | undefined }) {
  return (
    <ul className={styles['list']}>
      {links.map((link) => (
        <li key={`${link.direction} ${link.id}`}>
          <Swatch color={link.color} />
          <ArtifactLink id={link.id}>
            {link.tracker} #{link.id}
          </ArtifactLink>{' '}
          <small>{linkTypeText(link, field)}</small>
        </li>
      ))}
    </ul>
  )
}

/** As the project calls this type of link, in this direction. */
export function linkTypeText({ type, direction }: Pick<Linked, 'type' | 'direction'>, field?: TrackerField): string {
  const known = field?.allowed_types?.find(({ shortname }) => shortname === type)
  if (type === '' || !known) return type
  return direction === 'forward' ? known.forward_label : known.reverse_label
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)))
  const format = new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    maximumFractionDigits: 1,
  })
  return format.format(bytes / 1000 ** power)
}

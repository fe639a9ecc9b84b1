import type { SelectedColumn } from '@waypost/sdk/api'
import type { ReactNode } from 'react'
import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { toHue } from '../design/hue.ts'
import { Avatar, TrackerMark } from '../design/marks.tsx'
import { ValuePill } from '../design/pill.tsx'
import { CalendarDay, RelativeTime } from '../design/relative-time.tsx'
import { isJsonRecord, jsonNumber, jsonObjects, jsonText } from '../json.ts'
import { formatNumber } from '../messages/format-number.ts'
import styles from './across.module.css'

interface Props {
  readonly type: SelectedColumn['type']
  /** As in the response: its content depends on the type of the column. */
  readonly cell: unknown
}

/** A value of any tracker. */
export function AcrossCell({ type, cell }: Props) {
  return CELLS[type](isJsonRecord(cell) ? cell : {})
}

type Content = Readonly<Record<string, unknown>>

const CELLS: Readonly<Record<SelectedColumn['type'], (content: Content) => ReactNode>> = {
  artifact: () => null,
  link_type: () => null,
  unknown: () => null,
  pretty_title: (content) => <Title of={content} />,
  text: ({ value }) => jsonText(value),
  numeric: ({ value }) => (typeof value === 'number' ? formatNumber(value) : null),
  date: ({ value, with_time: isTimed }) => <DateCell at={jsonText(value)} isTimed={isTimed === true} />,
  list_static: ({ value }) =>
    jsonObjects(value).map(({ label, color }) => (
      <ValuePill key={jsonText(label)} hue={toHue(jsonText(color))}>
        {jsonText(label)}
      </ValuePill>
    )),
  list_user_group: ({ value }) =>
    jsonObjects(value)
      .map(({ label }) => jsonText(label))
      .join(', '),
  list_user: ({ value }) =>
    jsonObjects(value).map((person) => <Person key={jsonText(person['user_url'])} of={person} />),
  user: (content) => <Person of={content} />,
  tracker: ({ name, color }) => (
    <>
      <TrackerMark label={jsonText(name)} color={jsonText(color)} />
      {jsonText(name)}
    </>
  ),
  project: ({ icon, name }) => `${jsonText(icon)} ${jsonText(name)}`.trim(),
}

function Title({ of: { tracker_name: item, color, artifact_id, title } }: { readonly of: Content }) {
  const id = jsonNumber(artifact_id) ?? 0
  const name = `${jsonText(item)} #${id}`
  return (
    <>
      <TrackerMark label={jsonText(item)} color={jsonText(color)} />
      <span className={styles['reference']}>{name}</span>
      <ArtifactLink id={id} dir="auto">
        {jsonText(title) || name}
      </ArtifactLink>
    </>
  )
}

function Person({ of: { display_name, avatar_url, user_url } }: { readonly of: Content }) {
  const name = jsonText(display_name)
  const [, id] = /(\d+)$/.exec(jsonText(user_url)) ?? []
  return (
    <span className={styles['person']} title={name}>
      <Avatar person={{ id: Number(id ?? 0), name, avatar_url: jsonText(avatar_url) }} size={20} />
      {name}
    </span>
  )
}

function DateCell({ at, isTimed }: { readonly at: string; readonly isTimed: boolean }) {
  if (at === '') return null
  return isTimed ? <RelativeTime at={at} /> : <CalendarDay day={at.slice(0, 10)} />
}

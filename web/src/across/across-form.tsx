import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../accounts/session.ts'
import { Button } from '../design/button.tsx'
import { ChoiceGroup, ChoiceInput, SelectField, TextField } from '../design/field.tsx'
import { HelpLink } from '../help/help-link.tsx'
import { myProjectsQuery } from '../projects/projects-queries.ts'
import { namedTrackersQuery } from './across-query.ts'
import {
  ACROSS_COLUMNS,
  ACROSS_ORDERS,
  ACROSS_SHOWS,
  type AcrossSearch,
  namesIn,
  readAcrossSearch,
} from './across-search.ts'
import styles from './across.module.css'
import { isText, text } from './messages.ts'
import { columnsOf } from './write-across-query.ts'

interface Props {
  readonly search: AcrossSearch
  /** Why the server has refused the condition. */
  readonly error: string | undefined
  readonly onChange: (next: AcrossSearch) => void
}

/** The choices of the report: projects, trackers, a condition, columns and order. */
export function AcrossForm({ search, error, onChange }: Props) {
  const { data: session } = useSession()
  const { data: projects = [] } = useQuery({ ...myProjectsQuery, enabled: Boolean(session) })
  const project = projects.find(({ shortname }) => shortname === search.project)
  const [where, setWhere] = useState(search.where ?? '')
  useEffect(() => setWhere(search.where ?? ''), [search.where])
  const change = (next: Readonly<Record<string, string>>) => onChange(readAcrossSearch({ ...search, ...next }))
  const columns = columnsOf(search)
  const others = columns.filter((name) => !isText(`across.column.${name}`))
  return (
    <>
      <div className={styles['form']}>
        <SelectField
          label={text('across.projects')}
          value={search.project ?? ''}
          options={[
            { value: '', label: text('across.my_projects') },
            ...projects.map(({ shortname, label }) => ({ value: shortname, label })),
          ]}
          onChange={(shortname) => change({ project: shortname, trackers: '' })}
        />
        <SelectField
          label={text('across.show')}
          value={search.show ?? 'open'}
          options={ACROSS_SHOWS.map((value) => ({ value, label: text(`across.show.${value}`) }))}
          onChange={(show) => change({ show })}
        />
        <SelectField
          label={text('order.title')}
          value={search.order ?? 'changed'}
          options={ACROSS_ORDERS.map((value) => ({ value, label: text(`across.order.${value}`) }))}
          onChange={(order) => change({ order })}
        />
      </div>
      {project && <TrackerChoice project={project.id} search={search} onChoose={(trackers) => change({ trackers })} />}
      <form
        className={styles['where']}
        onSubmit={(event) => {
          event.preventDefault()
          change({ where: where.trim() })
        }}
      >
        <TextField
          label={text('across.where')}
          hint={text('across.where.hint')}
          error={error}
          spellCheck={false}
          value={where}
          onChange={({ target }) => setWhere(target.value)}
        />
        <Button type="submit" kind={where.trim() === (search.where ?? '') ? 'plain' : 'primary'}>
          {text('filter.apply')}
        </Button>
        <HelpLink topic="queries" />
      </form>
      <details className={styles['columns']}>
        <summary>{text('across.columns', { count: columns.length })}</summary>
        <ChoiceGroup label={text('table.columns')} isBare>
          {[...ACROSS_COLUMNS, ...others].map((name) => (
            <ChoiceInput
              key={name}
              label={columnLabel(name)}
              checked={columns.includes(name)}
              onChange={({ target }) =>
                change({
                  columns: (target.checked ? [...columns, name] : columns.filter((each) => each !== name)).join(),
                })
              }
            />
          ))}
        </ChoiceGroup>
      </details>
    </>
  )
}

/** A field of the trackers, by its name, has no text of ours. */
export function columnLabel(name: string): string {
  const key = `across.column.${name}`
  return isText(key) ? text(key) : name
}

interface TrackerProps {
  readonly project: number
  readonly search: AcrossSearch
  readonly onChoose: (names: string) => void
}

function TrackerChoice({ project, search, onChoose }: TrackerProps) {
  const { data: trackers = [] } = useQuery(namedTrackersQuery(project))
  const chosen = namesIn(search.trackers)
  return (
    <ChoiceGroup label={text('across.trackers')}>
      <div className={styles['trackers']}>
        {trackers.map(({ id, label, item_name: name }) => (
          <ChoiceInput
            key={id}
            label={label}
            checked={chosen.length === 0 || chosen.includes(name)}
            onChange={({ target }) => {
              const before = chosen.length === 0 ? trackers.map((each) => each.item_name) : chosen
              const next = target.checked ? [...before, name] : before.filter((each) => each !== name)
              onChoose(next.length === trackers.length ? '' : next.join())
            }}
          />
        ))}
      </div>
    </ChoiceGroup>
  )
}

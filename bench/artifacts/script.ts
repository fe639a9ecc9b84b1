import type { Ids } from '../../server/src/commands/bench-data/generate-artifact.ts'
import type { Captured, Script, CapturedStatement } from './capture.ts'
import { POINTS } from '../../server/src/commands/bench-data/bench-tracker.ts'

/** A pgbench script and its text parameters: pgbench itself generates only numbers. */
export interface EngineScript {
  readonly text: string
  readonly bound: Readonly<Record<string, string>>
}

export type EngineScripts = Readonly<Record<Script, EngineScript>>

/** A read before a write that only the engine needs; its time is subtracted. */
export const UNCOUNTED = 'select version as was_version'

/** Uniform over unrestricted artifacts: 19 of each 20, as `layout.ts` defines. */
export const OPEN_ID = `\\set group random(0, :size / 20 - 1)
\\set within random(0, 18)
\\set restricted (:group * 7 + 3) % 20
\\set id :group * 20 + :within + case when :within >= :restricted then 1 else 0 end + 1
`

/** Ids uniform over the artifacts that the role may read. */
function idsOf(script: Script): string {
  if (script === 'post') return ''
  if (script === 'get-group' || script === 'get-admin') return '\\set id random(1, :size)\n'
  return OPEN_ID
}

/** The statements of most captured requests, with the parameters of the request substituted. */
export function scriptOf(script: Script, captured: readonly Captured[], ids: Ids, size: number): EngineScript {
  const alike = mostAlike(captured)
  const [first] = alike
  if (!first) throw new Error(`No statement of ${script} was seen.`)
  const bound: Record<string, string> = { size: String(size) }
  const statements = first.sent.map(({ sql, values }, at) => {
    // The number of a new artifact is what the statement before has drawn.
    const drawn = Number(/\$(\d+)::bigint as last_number/.exec(sql)?.[1])
    const names = values.map((value, place) => {
      if (value === null) return 'null'
      if (place + 1 === drawn) return ':drawn_last_number'
      const name = nameOf(alike, at, place)
      if (name === '{id}' || name === '{made_id}') return `array[:${name.slice(1, -1)}]`
      if (name !== undefined) return `:${name}`
      bound[`s${at + 1}_${place + 1}`] = value
      return `:s${at + 1}_${place + 1}`
    })
    const text = sql.replace(/\$(\d+)/g, (_, place: string) => names[Number(place) - 1] ?? 'null')
    const makes = script === 'post' && /\binsert into artifact\b/.test(sql)
    if (/\bupdate tracker_total\b/.test(sql)) return `${text} \\gset drawn_`
    return makes ? `${text} \\gset made_` : `${text};`
  })
  const before = script === 'put' ? `\\set turn random(0, 4)\n${readBefore(ids)}\n` : ''
  return { text: `${idsOf(script)}${before}${statements.join('\n')}\n`, bound }
}

/** Only the row access, for the second ratio. */
export function rowScriptOf(script: Script, ids: Ids, size: number): EngineScript {
  const values = JSON.stringify({ [String(ids.fields['title'])]: 'A new item', [String(ids.fields['points'])]: 3 })
  if (script === 'put')
    return {
      // The values stay the same, so that rows and indexes remain consistent.
      text: `${idsOf(script)}update artifact set field_values = field_values || :changes::jsonb where id = :id;\n`,
      bound: { size: String(size), changes: '{}' },
    }
  if (script === 'post')
    return {
      text: `insert into artifact (project_id, tracker_id, number, field_values, submitted_on, last_modified_date, last_modified)
values (${ids.project}, ${ids.tracker}, -nextval(pg_get_serial_sequence('artifact', 'rank')), :values::jsonb, now(), now(), now());\n`,
      bound: { values },
    }
  return { text: `${idsOf(script)}select field_values from artifact where id = :id;\n`, bound: { size: String(size) } }
}

/** Computes the change of the request from the current artifact: another status, other points. */
function readBefore({ fields, values }: Ids): string {
  const status = `'${fields['status']}'`
  const points = `'${fields['points']}'`
  return `${UNCOUNTED}, people::text,
  '{' || was.status || '}' as was_status, '{' || next.status || '}' as next_status,
  '{' || coalesce(was.points, -1) || '}' as was_points, '{' || next.points || '}' as next_points,
  jsonb_build_object(${status}, jsonb_build_array(next.status), ${points}, next.points)::text as changes
from artifact
  cross join lateral (select (field_values #>> array[${status}, '0'])::bigint as status,
    (field_values ->> ${points})::bigint as points, array[${(values['status'] ?? []).join(', ')}]::bigint[] as statuses,
    array[${POINTS.join(', ')}]::bigint[] as worths) was
  cross join lateral (select was.statuses[1 + (array_position(was.statuses, was.status) + :turn) % 6] as status,
    was.worths[1 + (coalesce(array_position(was.worths, was.points), 0) + :turn) % 8] as points) next
where id = :id \\gset`
}

function mostAlike(captured: readonly Captured[]): Captured[] {
  const groups = Map.groupBy(captured, ({ sent }) => sent.map(({ sql }) => sql).join('\n'))
  return [...groups.values()].toSorted((one, other) => other.length - one.length)[0] ?? []
}

/** The name of a parameter, if it has the same meaning in every request. */
function nameOf(captured: readonly Captured[], at: number, place: number): string | undefined {
  const names = Object.keys(captured[0]?.known ?? {})
  return names.find((name) => captured.every(({ sent, known }) => same(valueIn(sent, at, place), known[name] ?? null)))
}

function valueIn(sent: readonly CapturedStatement[], at: number, place: number): string | null {
  return sent[at]?.values[place] ?? null
}

/** The driver quotes array elements and has its own member order. */
function same(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false
  return one === other || plain(one) === plain(other)
}

function plain(text: string): string {
  return text.startsWith('{') ? text.replaceAll(/["\s]/g, '') : text
}

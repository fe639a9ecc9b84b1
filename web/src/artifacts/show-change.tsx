import type { Change, TrackerField, Value } from '@waypost/sdk/api'
import { Hidden } from '../design/page.tsx'
import { text } from './words.ts'
import { isRecord } from './loose.ts'
import { readValue, type Shown } from './read-value.ts'
import styles from './show-change.module.css'
import { ShowValue } from './show-value.tsx'
import { diffTexts } from './text-diff.ts'

/** What a version changed in one field: words in a text, entries of a list, or one value for another. */
export function ShowChange({ change, field }: { change: Change; field: TrackerField }) {
  const [before, after] = [change.before, change.after].map((each) => wholeValue(field, each))
  const [was, is] = [readValue(before), readValue(after)]
  const texts = [sourceOf(was), sourceOf(is)]
  return (
    <div className={styles['change']}>
      <span className={styles['name']}>{field.label}</span>{' '}
      {texts[0] !== undefined && texts[1] !== undefined && was.kind !== 'empty' ? (
        <TextDiff before={texts[0]} after={texts[1]} />
      ) : isSet(was) || isSet(is) ? (
        <SetDiff was={namesOf(was)} is={namesOf(is)} />
      ) : (
        <>
          {was.kind !== 'empty' && (
            <>
              <del>
                <ShowValue value={before} field={field} isShort />
              </del>{' '}
              <span aria-hidden>→</span>
              <Hidden>{text('change.to')}</Hidden>{' '}
            </>
          )}
          <ins>{is.kind === 'empty' ? text('value.empty') : <ShowValue value={after} field={field} isShort />}</ins>
        </>
      )}
    </div>
  )
}

export function TextDiff({ before, after }: { before: string; after: string }) {
  return (
    <p className={styles['text']}>
      {diffTexts(before, after).map(({ kind, text: part }, index) =>
        kind === 'same' ? (
          <span key={index}>{shortened(part)}</span>
        ) : kind === 'added' ? (
          <ins key={index}>
            <Hidden>{text('change.added')} </Hidden>
            {part}
          </ins>
        ) : (
          <del key={index}>
            <Hidden>{text('change.removed')} </Hidden>
            {part}
          </del>
        ),
      )}
    </p>
  )
}

const AROUND = 80

/** Of a long part that has not changed, the ends. */
function shortened(part: string): string {
  return part.length > AROUND * 3 ? `${part.slice(0, AROUND)} … ${part.slice(-AROUND)}` : part
}

function SetDiff({ was, is }: { was: readonly string[]; is: readonly string[] }) {
  const gone = was.filter((name) => !is.includes(name))
  const come = is.filter((name) => !was.includes(name))
  return (
    <span className={styles['set']}>
      {gone.map((name) => (
        <del key={name}>
          <Hidden>{text('change.removed')} </Hidden>
          {name}
        </del>
      ))}
      {come.map((name) => (
        <ins key={name}>
          <Hidden>{text('change.added')} </Hidden>
          {name}
        </ins>
      ))}
    </span>
  )
}

/** Where `value` says all, the history has just that. */
function wholeValue({ field_id, type, label }: TrackerField, given: unknown): Value | undefined {
  if (given === null || given === undefined) return undefined
  return { field_id, type, label, ...(isRecord(given) ? given : { value: given }) }
}

function sourceOf(shown: Shown): string | undefined {
  if (shown.kind === 'empty') return ''
  if (shown.kind === 'rich') return shown.source
  return shown.kind === 'text' ? shown.text : undefined
}

function isSet(shown: Shown): boolean {
  return (
    ['files', 'links', 'references'].includes(shown.kind) ||
    (shown.kind === 'choices' && shown.choices.length > 1) ||
    (shown.kind === 'people' && shown.people.length > 1)
  )
}

function namesOf(shown: Shown): readonly string[] {
  switch (shown.kind) {
    case 'choices':
      return shown.choices.map(({ label }) => label)
    case 'people':
      return shown.people.map(({ name }) => name)
    case 'files':
      return shown.files.map(({ name }) => name)
    case 'links':
      return shown.links.map(({ tracker, id }) => `${tracker} #${id}`)
    case 'references':
      return shown.references.map(({ ref }) => ref)
    case 'empty':
    case 'text':
    case 'rich':
    case 'number':
    case 'day':
    case 'moment':
    case 'burndown':
    default:
      return []
  }
}

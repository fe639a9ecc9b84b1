import type { Change, TrackerField, AnyValue as Value } from '@waypost/sdk/api'
import { Hidden } from '../../design/page.tsx'
import { fieldType, isEmptyValue } from '../../field-types/field-types.ts'
import { ShowValue } from '../../field-types/field-views.tsx'
import { toValue } from '../../field-types/values.ts'
import { text } from '../messages.ts'
import styles from './show-change.module.css'
import { diffWords } from '../text-diff.ts'

/** The change of one field in a version: a text diff, added and removed entries, or old and new value. */
export function ShowChange({ change, field }: { change: Change; field: TrackerField }) {
  const [before, after] = [toValue(field, change.before), toValue(field, change.after)]
  const [wasEmpty, isEmpty] = [isEmptyValue(before), isEmptyValue(after)]
  const [was, is] = [entriesOf(before), entriesOf(after)]
  const isCollection = fieldType(field).isCollection === true && !(wasEmpty && isEmpty)
  const texts = wasEmpty ? [] : [sourceOf(before), sourceOf(after)]
  return (
    <div className={styles['change']}>
      <span className={styles['name']}>{field.label}</span>{' '}
      {texts[0] !== undefined && texts[1] !== undefined ? (
        <TextDiff before={texts[0]} after={texts[1]} />
      ) : isCollection || was.length > 1 || is.length > 1 ? (
        <SetDiff was={was} is={is} />
      ) : (
        <>
          {!wasEmpty && (
            <>
              <del>
                <ShowValue value={before} field={field} isShort />
              </del>{' '}
              <span aria-hidden>→</span>
              <Hidden>{text('change.to')}</Hidden>{' '}
            </>
          )}
          <ins>{isEmpty ? text('value.empty') : <ShowValue value={after} field={field} isShort />}</ins>
        </>
      )}
    </div>
  )
}

export function TextDiff({ before, after }: { before: string; after: string }) {
  return (
    <p className={styles['text']}>
      {diffWords(before, after).map(({ kind, text: part }, index) =>
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

const CONTEXT_CHARACTERS = 80

/** Keeps only both ends of a long unchanged part. */
function shortened(part: string): string {
  return part.length > CONTEXT_CHARACTERS * 3
    ? `${part.slice(0, CONTEXT_CHARACTERS)} … ${part.slice(-CONTEXT_CHARACTERS)}`
    : part
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

/** Undefined: the type is not compared by words. */
export function sourceOf(value: Value | undefined): string | undefined {
  return value && !isEmptyValue(value) ? fieldType(value).source?.(value) : ''
}

function entriesOf(value: Value | undefined): readonly string[] {
  return (value && fieldType(value).entries?.(value)) ?? []
}

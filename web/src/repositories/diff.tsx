import { useLocation } from '@tanstack/react-router'
import type { SvnDiff, SvnHunk } from '@waypost/sdk/api'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Empty, Hidden } from '../design/page.tsx'
import { text } from './messages.ts'
import styles from './diff.module.css'
import { PathLink } from './path-bar.tsx'
import revisionStyles from './revision.module.css'

type ChangedFile = SvnDiff['files'][number]

/** Files beyond these limits are collapsed. */
const OPEN_FILES = 40
const OPEN_LINES = 400

export function Diff({ diff: { files, to, truncated } }: { diff: SvnDiff }) {
  return (
    <>
      {files.map((file, at) => (
        <FileDiff key={file.path} file={file} revision={to} isFew={at < OPEN_FILES} />
      ))}
      {truncated && <p role="note">{text('diff.truncated')}</p>}
    </>
  )
}

function FileDiff({ file, revision, isFew }: { file: ChangedFile; revision: number; isFew: boolean }) {
  const { path, op, hunks, is_binary, props, truncated, copied_from } = file
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const isNamed = useIsNamed(path)
  const [isOpen, setOpen] = useState(isNamed || (isFew && lines.length <= OPEN_LINES))
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isNamed) place.current?.scrollIntoView({ block: 'start' })
  }, [isNamed])
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return (
    <section ref={place} className={styles['file']} aria-label={path}>
      <header>
        <h3>
          {op === 'deleted' ? (
            path
          ) : (
            <PathLink view="file" path={path} rev={revision}>
              {path}
            </PathLink>
          )}
        </h3>
        <span className={revisionStyles['op']} data-op={op}>
          {text(`op.${op}`)}
        </span>
        {lines.length > 0 && (
          <span className={styles['counts']}>
            <Hidden>{text('diff.counts', { added: count('+'), removed: count('-') })}</Hidden>
            <span aria-hidden>{`+${count('+')} −${count('-')}`}</span>
          </span>
        )}
        {copied_from !== null && (
          <small>{text('revision.copied', { path: copied_from.path, revision: copied_from.revision })}</small>
        )}
      </header>
      {is_binary && <Empty>{text('diff.binary')}</Empty>}
      {!is_binary && lines.length === 0 && props.length === 0 && <Empty>{text('diff.same')}</Empty>}
      {isOpen
        ? lines.length > 0 && <Hunks hunks={hunks} />
        : lines.length > 0 && (
            <Empty action={<Button onPress={() => setOpen(true)}>{text('diff.open', { count: lines.length })}</Button>}>
              {''}
            </Empty>
          )}
      {props.map(({ name, op: done, lines: changed }) => (
        <div key={name} className={styles['property']}>
          <p>{text('diff.property', { name, op: text(`op.${done}`) })}</p>
          <pre>{changed.join('\n')}</pre>
        </div>
      ))}
      {truncated && <Empty>{text('diff.file_truncated')}</Empty>}
    </section>
  )
}

/** True if the address points to this file, as links in commit mails do. */
function useIsNamed(path: string): boolean {
  const named = useLocation({ select: ({ hash }) => hash })
  const bare = (place: string) => place.replace(/^\//, '')
  return [named, decoded(named)].map(bare).includes(bare(path))
}

/** The router leaves reserved characters escaped. A literal percent sign cannot be decoded. */
function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    return hash
  }
}

function Hunks({ hunks }: { hunks: readonly SvnHunk[] }) {
  return (
    <table className={styles['hunks']}>
      <colgroup>
        <col />
        <col />
        <col />
      </colgroup>
      <thead className={styles['head']}>
        <tr>
          <th scope="col">{text('diff.old')}</th>
          <th scope="col">{text('diff.new')}</th>
          <th scope="col">{text('diff.line')}</th>
        </tr>
      </thead>
      {hunks.map((hunk) => (
        <tbody key={`${hunk.old_start} ${hunk.new_start}`}>
          <tr className={styles['place']}>
            <td colSpan={3}>{text('diff.at', { line: hunk.new_start })}</td>
          </tr>
          {numbered(hunk).map(({ old, now, kind, line }) => (
            <tr key={`${old} ${now}`} data-kind={kind}>
              <td>{old}</td>
              <td>{now}</td>
              <td>{kind === 'same' ? line : <Changed kind={kind}>{line}</Changed>}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}

function Changed({ kind, children }: { kind: 'added' | 'removed'; children: string }) {
  return kind === 'added' ? <ins>{children}</ins> : <del>{children}</del>
}

interface Line {
  readonly old: number | undefined
  readonly now: number | undefined
  readonly kind: 'same' | 'added' | 'removed'
  readonly line: string
}

/** Each line with its old and new number. */
function numbered({ old_start, new_start, lines }: SvnHunk): Line[] {
  let [old, now] = [old_start, new_start]
  return lines.map((marked) => {
    const line = marked.slice(1)
    if (marked.startsWith('+')) return { old: undefined, now: now++, kind: 'added', line }
    if (marked.startsWith('-')) return { old: old++, now: undefined, kind: 'removed', line }
    return { old: old++, now: now++, kind: 'same', line }
  })
}

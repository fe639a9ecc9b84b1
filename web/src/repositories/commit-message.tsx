import type { SvnRevision } from '@waypost/sdk/api'
import { Fragment } from 'react'
import { text } from './messages.ts'
import styles from './revision.module.css'
import { splitReferences } from './split-references.ts'

type Said = Pick<SvnRevision, 'message' | 'references' | 'paths_hidden'>

/** The commit message, with references such as `art #12` as links. */
export function CommitMessage({ said }: { said: Said }) {
  const { message, references } = said
  if (message === null || message === '') return <em className={styles['silent']}>{silence(said)}</em>
  return <>{linked(message, references ?? [])}</>
}

function silence({ message, paths_hidden }: Said): string {
  return text(message === null && paths_hidden !== false ? 'log.hidden' : 'log.silent')
}

function linked(message: string, references: NonNullable<SvnRevision['references']>) {
  const known = new Map(references.map(({ ref, url }) => [ref, url]))
  return splitReferences(message, [...known.keys()]).map((part, at) => {
    const url = known.get(part)
    // oxlint-disable-next-line react/no-array-index-key -- the text does not change
    return <Fragment key={at}>{url === undefined ? part : <a href={pageOf(part, url)}>{part}</a>}</Fragment>
  })
}

/** Artifacts have their own page; other references use the URL of the server. */
function pageOf(reference: string, url: string): string {
  const [, artifact] = /^(?:art|artifact) ?#(\d+)$/i.exec(reference) ?? []
  const { pathname, search } = new URL(url, location.origin)
  return artifact === undefined ? `${pathname}${search}` : `/artifacts/${artifact}`
}

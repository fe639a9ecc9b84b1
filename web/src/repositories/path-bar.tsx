import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import rows from '../design/rows.module.css'
import { text } from './words.ts'
import styles from './repository.module.css'
import { nameOf, pathsOf, useParamsOf, usePlace, useRepository } from './use-repository.ts'

const VIEWS = {
  tree: '/projects/$shortname/repositories/$name/tree/$',
  file: '/projects/$shortname/repositories/$name/file/$',
  blame: '/projects/$shortname/repositories/$name/blame/$',
  log: '/projects/$shortname/repositories/$name/log/$',
} as const
export type View = keyof typeof VIEWS

interface PathLinkProps {
  readonly view: View
  readonly path: string
  readonly rev?: number | undefined
  readonly hash?: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** To a place of this repository. */
export function PathLink({ view, path, rev, hash, className, children }: PathLinkProps) {
  const paramsOf = useParamsOf()
  return (
    <Link
      to={VIEWS[view]}
      params={paramsOf(path)}
      search={rev === undefined ? {} : { rev }}
      {...(hash !== undefined && { hash })}
      {...(className !== undefined && { className })}
      activeProps={{}}
    >
      {children}
    </Link>
  )
}

export function RevisionLink({ revision }: { revision: number }) {
  const paramsOf = useParamsOf()
  const { _splat: _, ...params } = paramsOf()
  return (
    <Link
      to="/projects/$shortname/repositories/$name/revisions/$revision"
      params={{ ...params, revision: String(revision) }}
      className={styles['revision']}
    >
      {text('revision.short', { revision })}
    </Link>
  )
}

/** Where one is, each directory a link; and of which revision, if not of the newest. */
export function PathBar({ view, actions }: { view: View; actions?: ReactNode }) {
  const { name } = useRepository()
  const { path, rev } = usePlace()
  const paths = pathsOf(path)
  if (path === '/' && rev === undefined) return null
  return (
    <div className={styles['pathBar']}>
      <nav aria-label={text('path.nav')}>
        <ol className={styles['path']}>
          <li>
            <PathLink view="tree" path="/" rev={rev}>
              {name}
            </PathLink>
          </li>
          {paths.map((each) => (
            <li key={each}>
              {each === path ? (
                <span aria-current="location">{nameOf(each)}</span>
              ) : (
                <PathLink view="tree" path={each} rev={rev}>
                  {nameOf(each)}
                </PathLink>
              )}
            </li>
          ))}
        </ol>
      </nav>
      {rev !== undefined && (
        <p className={styles['at']}>
          <span className={`${rows['tag']} ${rows['late']}`}>{text('path.at', { revision: rev })}</span>
          <PathLink view={view} path={path}>
            {text('path.newest')}
          </PathLink>
        </p>
      )}
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </div>
  )
}

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import rows from '../design/rows.module.css'
import { text } from './messages.ts'
import styles from './repository.module.css'
import { baseName, ancestorPaths, useParamsOf, useRepositoryLocation, useRepository } from './use-repository.ts'

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

/** A link to a path of this repository. */
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

/** A breadcrumb of directories, with the revision if it is not the newest. */
export function PathBar({ view, actions }: { view: View; actions?: ReactNode }) {
  const { name } = useRepository()
  const { path, rev } = useRepositoryLocation()
  const paths = ancestorPaths(path)
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
                <span aria-current="location">{baseName(each)}</span>
              ) : (
                <PathLink view="tree" path={each} rev={rev}>
                  {baseName(each)}
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

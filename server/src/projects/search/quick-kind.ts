import { type Static, Type } from 'typebox'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Catalogue } from '../../platform/messages/catalogue.ts'
import type { Context } from '../../platform/operation/context.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import type { ProjectId } from '../project.ts'
import { ProjectMinimal } from '../schemas.ts'
import type { SearchTerm } from './keywords.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** The kinds of a quick search that modules above provide, in `ports.ts`. */
    readonly quickKinds: QuickKinds
  }
}

export const QuickPlace = Type.Object(
  { id: Type.Integer(), uri: Type.String(), label: Type.String(), icon: Type.String(), shortname: Type.String() },
  { title: 'QuickPlace' },
)

export const QuickTracker = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    html_url: Type.String(),
    label: Type.String(),
    item_name: Type.String(),
    color_name: Type.String(),
    project: QuickPlace,
  },
  { title: 'QuickTracker' },
)
export type QuickTracker = Static<typeof QuickTracker>

export const QuickArtifact = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    html_url: Type.String(),
    xref: Type.String(),
    title: nullable(Type.String()),
    tracker: QuickTracker,
    status: nullable(Type.Object({ value: Type.String(), color: nullable(Type.String()) })),
    is_open: Type.Boolean(),
    assignees: Type.Array(UserMinimal),
    last_modified_date: Type.String(),
    matched: Type.Enum(['id', 'title', 'text'], {
      description: '`id`: the query names the artifact. `text`: the words are in a text or a comment.',
    }),
    snippet: nullable(
      Type.String({ description: 'Plain text around the first hit, if it is in a text or a comment.' }),
    ),
  },
  { title: 'QuickArtifact' },
)
export type QuickArtifact = Static<typeof QuickArtifact>

export const QuickProject = Type.Object(
  { ...ProjectMinimal.properties, icon: Type.String(), html_url: Type.String(), is_member_of: Type.Boolean() },
  { title: 'QuickProject' },
)
export type QuickProject = Static<typeof QuickProject>

export const QuickFile = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    html_url: Type.String({ description: 'The download address.' }),
    name: Type.String(),
    artifact: QuickArtifact,
  },
  { title: 'QuickFile' },
)
export type QuickFile = Static<typeof QuickFile>

export const QuickCommit = Type.Object(
  {
    uri: Type.String(),
    html_url: Type.String(),
    xref: Type.String(),
    message: Type.String({ description: 'Plain text around the first hit.' }),
    author_name: nullable(Type.String({ description: 'The author that the revision names.' })),
    date: nullable(Type.String()),
    repository: Type.Object({ id: Type.Integer(), uri: Type.String(), name: Type.String() }),
    project: Type.Object({ shortname: Type.String(), label: Type.String() }),
  },
  { title: 'QuickCommit' },
)
export type QuickCommit = Static<typeof QuickCommit>

/** A quick search by one viewer. */
export interface QuickQuery {
  readonly context: Context
  readonly viewer: Viewer
  readonly language: Catalogue
  /** As given: it may be a reference or an id. */
  readonly keywords: string
  /** Folded. All of them must match; each one may be the beginning of a word. */
  readonly terms: readonly SearchTerm[]
  readonly project: ProjectId | undefined
  /** The number of hits of each kind. */
  readonly limit: number
}

type QuickFinder<Found> = (query: QuickQuery) => Promise<Found[]>

/** Each finds what the viewer may see, by what they may read. */
export interface QuickKinds {
  readonly artifacts: QuickFinder<QuickArtifact>
  readonly trackers: QuickFinder<QuickTracker>
  readonly files: QuickFinder<QuickFile>
  readonly commits: QuickFinder<QuickCommit>
}

import { Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { RepositoryId } from '../repository.ts'
import { readDiff } from './engine/read-diff.ts'
import { type LoggedPath, readLog } from './engine/read-log.ts'
import { readNode } from './engine/read-nodes.ts'
import { type Browsed, type SvnSession, withSession } from './engine/session.ts'
import { openRepository, revisionVersion } from './open-repository.ts'
import { isRevisionNumber, pathParameter, parsePath, resolveRevisions, revisionParameter } from './parameters.ts'
import { CopiedFrom, OperationSchema } from './schemas.ts'

const Hunk = Type.Object(
  {
    old_start: Type.Integer(),
    old_lines: Type.Integer(),
    new_start: Type.Integer(),
    new_lines: Type.Integer(),
    lines: Type.Array(Type.String({ description: 'Begins with `+`, `-`, a space, or `\\` for a remark.' })),
  },
  { title: 'SvnHunk' },
)

const Diff = Type.Object(
  {
    from: Type.Integer(),
    to: Type.Integer(),
    files: Type.Array(
      Type.Object({
        path: Type.String(),
        op: OperationSchema,
        copied_from: CopiedFrom,
        is_binary: Type.Boolean(),
        hunks: Type.Array(Hunk),
        props: Type.Array(Type.Object({ name: Type.String(), op: OperationSchema, lines: Type.Array(Type.String()) })),
        truncated: Type.Boolean(),
      }),
      { description: 'Files, and directories whose properties have changed.' },
    ),
    truncated: Type.Boolean({ description: 'There is more than 5 MiB, or than 2,000 files.' }),
  },
  { title: 'SvnDiff' },
)

export const getDiff = readRoute({
  method: 'GET',
  path: '/svn/:id/diff',
  operationId: 'getSvnDiff',
  summary: 'Compare two revisions of a path in a repository.',
  description:
    'Shows the differences of files between two revisions, in hunks. Everyone who may see the project and, by the access file, the path; anonymous callers get 401. Denied files are left out; large answers are cut and say so.',
  access: 'signed_in',
  params: { id: idParam<RepositoryId>('The repository.') },
  query: {
    path: pathParameter,
    rev: revisionParameter('Where `to` is not given, the new side.'),
    from: revisionParameter('The old side; the revision before `to` is the default.'),
    to: revisionParameter('The new side.'),
    context: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: 3, description: 'Unchanged lines.' })),
  },
  answer: Diff,
  versioned: true,
  async handle({ context, viewer, params, query }) {
    const path = parsePath(query.path)
    const repository = await openRepository(context, viewer, params.id)
    const { browsed } = repository
    const until = query.to ?? query.rev
    const { from, to, files, truncated } = await withSession(browsed, 'own', async (session) => {
      const [newest = 0] = await resolveRevisions(session, until)
      const [oldest = 0] = await resolveRevisions(session, query.from ?? String(Math.max(newest - 1, 0)))
      const compared = { path, from: oldest, to: newest, context: query.context ?? 3 }
      const nodes = { old: await readNode(session, path, oldest), fresh: await readNode(session, path, newest) }
      if (!nodes.old && !nodes.fresh) throw new ApiError('not_found')
      if (oldest === newest) return { ...compared, files: [], truncated: false }
      const found = await readDiff(session, compared, nodes)
      const isCopied = found.files.some(({ op }) => op === 'added' || op === 'replaced')
      const copies = isCopied ? await readCopies(session, browsed, oldest, newest) : []
      const sourced = found.files.map((file) => ({ ...file, copied_from: findCopySource(file, copies) }))
      return { ...compared, files: sourced, truncated: found.truncated }
    })
    const body = { from, to, files, truncated }
    const isOfNumbers = isRevisionNumber(until) && (query.from === undefined || isRevisionNumber(query.from))
    return { body, ...(isOfNumbers && { version: revisionVersion(repository, `diff ${path} ${from}`, to) }) }
  },
})

const MAX_SCANNED_REVISIONS = 100

/** Copies between the two revisions, newest first. */
async function readCopies(session: SvnSession, browsed: Browsed, from: number, to: number): Promise<LoggedPath[]> {
  if (from >= to) return []
  const part = { path: '/', from: to, to: from + 1, limit: MAX_SCANNED_REVISIONS }
  const logged = await readLog(session, browsed, [part])
  return logged.flatMap(({ paths }) => paths.filter(({ copied_from }) => copied_from))
}

/** A file added with a copied directory has a copy source below that of the directory. */
function findCopySource({ path, op }: { path: string; op: string }, copies: readonly LoggedPath[]) {
  if (op !== 'added' && op !== 'replaced') return null
  const fitting = copies.filter(({ path: copy }) => path === copy || path.startsWith(`${copy}/`))
  const [nearest] = fitting.toSorted((one, other) => other.path.length - one.path.length)
  const source = nearest?.copied_from
  return source ? { path: `${source.path}${path.slice(nearest.path.length)}`, revision: source.revision } : null
}

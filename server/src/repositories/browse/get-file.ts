import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { SANDBOX_HEADERS } from '../../files/content-of-file.ts'
import { contentDisposition } from '../../files/disposition.ts'
import { sniffType } from '../../files/sniff.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { bufferContent } from '../../platform/http/send-content.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { Resources } from '../../platform/wire/resources.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { RepositoryId } from '../repository.ts'
import { type SvnProps, readFileStart, readNode, readProps } from './engine/read-nodes.ts'
import { type SvnSession, withSession } from './engine/session.ts'
import { openRepository, revisionVersion } from './open-repository.ts'
import {
  isRevisionNumber,
  nodeUri,
  pathParameter,
  parsePath,
  resolveRevisions,
  revisionParameter,
} from './parameters.ts'
import { PropsSchema } from './schemas.ts'
import { isBinary, MAX_FILE_BYTES, MAX_TEXT_BYTES, detectLineEnds, decodeUtf8 } from './text-of-file.ts'

const SvnFile = Type.Object(
  {
    path: Type.String(),
    rev: Type.Integer(),
    size: Type.Integer(),
    mime_type: Type.String({ description: 'What its property says, else a guess.' }),
    is_binary: Type.Boolean(),
    eol: nullable(Type.String({ description: '`LF`, `CRLF`, `CR` or `mixed`: how its lines end.' })),
    props: PropsSchema,
    content: Type.String({ description: 'The first MiB at most.' }),
    encoding: Type.Union([Type.Literal('utf-8'), Type.Literal('base64')]),
    truncated: Type.Boolean(),
    resources: Resources,
  },
  { title: 'SvnFile' },
)

export const getFile = readRoute({
  method: 'GET',
  path: '/svn/:id/file',
  operationId: 'getSvnFile',
  summary: 'Show a file in a repository, or send its bytes.',
  description:
    'Reads a file at a revision as text or base64; `raw=true` sends its bytes. Everyone who may see the project and, by the access file, the path; anonymous callers get 401. Absent and denied paths look the same: 404.',
  access: 'signed_in',
  params: { id: idParam<RepositoryId>('The repository.') },
  query: {
    path: pathParameter,
    rev: revisionParameter('A revision, or `HEAD`, which is the default.'),
    raw: Type.Optional(Type.Boolean({ description: 'The bytes alone, to be kept as a file.' })),
  },
  answer: SvnFile,
  formats: { bytes: true },
  versioned: true,
  async handle({ context, viewer, params, query }) {
    const path = parsePath(query.path)
    const repository = await openRepository(context, viewer, params.id)
    const isRaw = query.raw === true
    const file = await withSession(repository.browsed, 'own', async (session) => {
      const [revision = 0] = await resolveRevisions(session, query.rev)
      return readFileAt(session, path, revision, isRaw ? MAX_FILE_BYTES : MAX_TEXT_BYTES)
    })
    if (isRaw) return { content: rawContent(path, file.bytes) }
    const version = revisionVersion(repository, `file ${path}`, file.rev)
    const below = isBinary(file.props, file.bytes) ? ['log'] : ['log', 'blame']
    const resources = below.map((type) => ({
      type,
      uri: nodeUri(params.id, type, path, file.rev),
    }))
    return { body: { ...representSvnFile(path, file), resources }, ...(isRevisionNumber(query.rev) && { version }) }
  },
})

interface FileAt {
  readonly rev: number
  readonly size: number
  readonly props: SvnProps
  readonly bytes: Buffer
}

/** Loads a file within the size limit, with its first bytes. */
export async function readFileAt(session: SvnSession, path: string, rev: number, most: number): Promise<FileAt> {
  const node = await readNode(session, path, rev)
  if (node?.kind !== 'file') throw new ApiError('not_found')
  const size = node.size ?? 0
  if (size > MAX_FILE_BYTES)
    throw new ApiError('parameter_out_of_range', {
      path: 'path',
      rule: 'maximum',
      allowed: { maximum: MAX_FILE_BYTES },
    })
  const [props = {}] = await readProps(session, [{ ...node, path }], rev)
  return { rev, size, props, bytes: await readFileStart(session, path, rev, most) }
}

function representSvnFile(path: string, { rev, size, props, bytes }: FileAt) {
  const truncated = bytes.length < size
  const is_binary = isBinary(props, bytes)
  const text = is_binary ? undefined : decodeUtf8(bytes, truncated)
  return {
    path,
    rev,
    size,
    mime_type: props['svn:mime-type'] ?? (is_binary ? 'application/octet-stream' : 'text/plain'),
    is_binary,
    eol: is_binary ? null : detectLineEnds(bytes.toString('latin1')),
    props,
    content: text ?? bytes.toString('base64'),
    encoding: text === undefined ? ('base64' as const) : ('utf-8' as const),
    truncated,
  }
}

/** Committed content is always a download; a browser never renders it on our origin. */
function rawContent(path: string, bytes: Buffer) {
  const type = sniffType(bytes)
  const disposition = contentDisposition('attachment', path.slice(path.lastIndexOf('/') + 1))
  return {
    ...bufferContent(bytes),
    type: type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
    etag: `"${hash('sha256', bytes, 'base64url')}"`,
    headers: { ...SANDBOX_HEADERS, 'content-disposition': disposition },
  }
}

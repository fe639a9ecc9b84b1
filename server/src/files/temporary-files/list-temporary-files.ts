import { sql } from 'kysely'
import { Type } from 'typebox'
import { Resources } from '../../platform/wire/resources.ts'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { cutPage } from '../../platform/http/pages.ts'
import { readRoute } from '../../platform/http/route.ts'
import type { StoredFile } from '../file.ts'
import { fileColumns } from '../find-files.ts'
import { FileInfo, representFile } from '../represent-file.ts'
import { isTemporary, quotaHeaders } from './temporary-file.ts'

export const listTemporaryFiles = readRoute({
  method: 'GET',
  path: '/artifact_temporary_files',
  operationId: 'listTemporaryFiles',
  summary: 'List the files that you have uploaded in chunks and that are not attached.',
  description:
    'Lists unfinished and unattached uploads of the caller. Every signed-in account, for itself. Uploads of others are not listed.',
  access: 'signed_in',
  answer: Type.Array(Type.Object({ ...FileInfo.properties, resources: Resources }, { title: 'TemporaryFile' })),
  answerOptions: { headers: quotaHeaders },
  pages: { default: 10, min: 0, max: 50 },
  async handle({ context, viewer, page: { limit, offset, after } }) {
    const isListed = isTemporary(requireAccount(viewer), context.clock.now())
    const { rows } = await sql<Omit<StoredFile, 'id'> & { id: StoredFile['id'] | null; whole: number }>`
      select found.*, whole.size as whole
      from (select count(*) as size from file where ${isListed}) whole
      left join (
        select ${fileColumns} from file where ${isListed} and file.id > ${after?.[0] ?? 0}
        order by file.id limit ${limit + 1} offset ${after ? 0 : offset}
      ) found on true
      order by found.id`.execute(context.db)
    const files = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id }]))
    const cut = cutPage(files, limit, ({ id }) => [id])
    return {
      body: cut.rows.map((file) => ({
        ...representFile(file, { isTemporary: true }),
        resources: [{ type: 'content', uri: `artifact_temporary_files/${file.id}` }],
      })),
      size: rows[0]?.whole ?? 0,
      next: cut.next,
    }
  },
})

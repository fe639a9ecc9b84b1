import { Type } from 'typebox'
import { ApiError } from '../../platform/messages/errors.ts'
import { readRoute } from '../../platform/http/route.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { diagnoseDirectory } from './diagnose-directory.ts'
import { directoryParam, findDirectory } from './directory.ts'

export const testDirectory = readRoute({
  method: 'POST',
  path: '/directories/:name/test',
  operationId: 'testDirectory',
  summary: 'Look whether a directory can sign people in.',
  description:
    'Calls each host of the directory and reports what works and what does not: TLS, the account that searches, people, groups. Site administrators only. It changes nothing; others get 403.',
  access: 'signed_in',
  params: { name: directoryParam },
  answer: Type.Object(
    {
      findings: Type.Array(
        Type.Object({
          check: Type.String(),
          state: Type.Enum(['ok', 'warning', 'wrong']),
          detail: Type.String({ description: 'In English.' }),
        }),
      ),
    },
    { title: 'DirectoryTest' },
  ),
  async handle({ context, viewer, params: { name } }) {
    requireSiteAdmin(viewer)
    const directory = await findDirectory(context.db, name)
    if (!directory) throw new ApiError('not_found')
    return { body: { findings: await diagnoseDirectory(context, directory) } }
  },
})

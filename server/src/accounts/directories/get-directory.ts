import { ApiError } from '../../platform/messages/errors.ts'
import { readRoute } from '../../platform/http/route.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { directoryParam, directoryVersion, listDirectoryRows, representDirectoryRow } from './directory.ts'
import { DirectoryAnswer } from './directory-settings.ts'

export const getDirectory = readRoute({
  method: 'GET',
  path: '/directories/:name',
  operationId: 'getDirectory',
  summary: 'Show a directory (LDAP) whose people sign in.',
  description:
    'Shows the settings of one directory and the last run of its sync, without the password. Site administrators only. Others get 403.',
  access: 'signed_in',
  params: { name: directoryParam },
  answer: DirectoryAnswer,
  versioned: true,
  async handle({ context: { db }, viewer, params: { name } }) {
    requireSiteAdmin(viewer)
    const [row] = await listDirectoryRows(db, name)
    if (!row) throw new ApiError('not_found')
    return { body: representDirectoryRow(row), version: directoryVersion(row) }
  },
})

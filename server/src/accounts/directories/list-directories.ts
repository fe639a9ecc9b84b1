import { Type } from 'typebox'
import { readRoute } from '../../platform/http/route.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { listDirectoryRows, representDirectoryRow } from './directory.ts'
import { DirectoryAnswer } from './directory-settings.ts'

export const listDirectories = readRoute({
  method: 'GET',
  path: '/directories',
  operationId: 'listDirectories',
  summary: 'List the directories (LDAP) whose people sign in.',
  description:
    'Lists all directories with their settings and the last run of their sync, without passwords. Site administrators only. Others get 403.',
  access: 'signed_in',
  pages: 'whole',
  answer: Type.Array(DirectoryAnswer),
  async handle({ context: { db }, viewer }) {
    requireSiteAdmin(viewer)
    const rows = await listDirectoryRows(db)
    return { body: rows.map(representDirectoryRow), size: rows.length }
  },
})

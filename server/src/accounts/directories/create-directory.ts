import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { requireMappedGroups } from '../identity/group-mapping.ts'
import { toStoredSecret } from '../identity/identity-secret.ts'
import { directoryVersion, loadDirectories, representDirectory } from './directory.ts'
import { requireDirectoryRules } from './directory-rules.ts'
import { DIRECTORY_DEFAULTS, DirectoryAnswer, NewDirectory } from './directory-settings.ts'

const MAX_DIRECTORIES = 20

export const createDirectory = writeRoute({
  method: 'POST',
  path: '/directories',
  operationId: 'createDirectory',
  summary: 'Add a directory (LDAP) whose people sign in with their password there.',
  description:
    'Adds a directory, such as Active Directory or OpenLDAP. Site administrators only. It is not contacted: test it afterwards. A name that exists, malformed filters and addresses without TLS are refused.',
  access: 'signed_in',
  action: 'directory.create',
  sensitive: true,
  body: NewDirectory,
  answer: DirectoryAnswer,
  versioned: true,
  status: 201,
  async prepare({ context, viewer, body: { name: _name, bind_password, ...given } }) {
    requireSiteAdmin(viewer)
    const settings = { ...DIRECTORY_DEFAULTS, ...given }
    requireDirectoryRules(settings, typeof bind_password === 'string')
    await requireMappedGroups(context, settings)
    return settings
  },
  async handle({ context, body: { name, bind_password } }, work, settings) {
    if ((await loadDirectories(work.tx)).length >= MAX_DIRECTORIES)
      throw new ApiError('parameter_out_of_range', {
        path: 'name',
        rule: 'maximum',
        allowed: { maximum: MAX_DIRECTORIES },
      })
    const secret = toStoredSecret(context.secrets, 'directory', bind_password)
    const made = await work.tx
      .insertInto('directory')
      .values({ name, settings: JSON.stringify(settings), secret, created_on: context.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['name', 'version'])
      .executeTakeFirst()
    if (!made) throw new ApiError('name_taken', { path: 'name', rule: 'unique' })
    await work.change({
      object: 'directories',
      made: `directories/${name}`,
      op: 'create',
      after: { name, ...settings, has_bind_password: secret !== null },
    })
    return {
      body: await representDirectory(work.tx, name),
      location: `directories/${name}`,
      version: directoryVersion(made),
    }
  },
})

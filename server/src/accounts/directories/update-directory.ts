import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { requireMappedGroups } from '../identity/group-mapping.ts'
import { toStoredSecret } from '../identity/identity-secret.ts'
import { differenceOfSettings } from '../identity/settings-difference.ts'
import { directoryParam, directoryVersion, findDirectory, lockDirectory, representDirectory } from './directory.ts'
import { requireDirectoryRules } from './directory-rules.ts'
import { DirectoryAnswer, DirectoryChanges, type DirectorySettings } from './directory-settings.ts'

export const updateDirectory = writeRoute({
  method: 'PATCH',
  path: '/directories/:name',
  operationId: 'updateDirectory',
  summary: 'Change a directory (LDAP) whose people sign in.',
  description:
    'Changes settings of a directory, or its password; absent members stay. Site administrators only. The name never changes, because accounts belong to it. If the hosts change, the password has to be sent again.',
  access: 'signed_in',
  action: 'directory.update',
  sensitive: true,
  params: { name: directoryParam },
  body: DirectoryChanges,
  answer: DirectoryAnswer,
  versioned: true,
  async prepare({ context, viewer, params: { name }, body: { bind_password: _password, ...changes } }) {
    requireSiteAdmin(viewer)
    const found = await findDirectory(context.db, name)
    if (!found) throw new ApiError('not_found')
    await requireMappedGroups(context, { ...found.settings, ...changes })
  },
  async handle({ context, params: { name }, body: { bind_password, ...changes }, headers }, work) {
    const found = await lockDirectory(work.tx, name)
    requireVersion(headers['if-match'], directoryVersion(found))
    const settings: DirectorySettings = { ...found.settings, ...changes }
    const { before, after } = differenceOfSettings(found.settings, settings)
    requirePasswordForNewHosts(Object.keys(after), found.secret !== null, bind_password)
    const secret = toStoredSecret(context.secrets, 'directory', bind_password, found.secret)
    requireDirectoryRules(settings, secret !== null)

    const isSameSecret = secret === found.secret
    if (Object.keys(after).length === 0 && isSameSecret)
      return { body: await representDirectory(work.tx, name), version: directoryVersion(found) }
    const version = found.version + 1
    await work.tx
      .updateTable('directory')
      .set({ settings: JSON.stringify(settings), secret, version })
      .where('name', '=', name)
      .execute()
    await work.change({
      object: `directories/${name}`,
      op: 'update',
      before,
      after: { ...after, ...(!isSameSecret && { bind_password: secret === null ? 'removed' : 'replaced' }) },
    })
    return { body: await representDirectory(work.tx, name), version: directoryVersion({ name, version }) }
  },
})

/** Settings that decide who receives the stored password. */
const HOST_SETTINGS = ['urls', 'tls', 'ca_certificate']

/** A stored password goes only to hosts that were named together with it. */
function requirePasswordForNewHosts(
  changed: readonly string[],
  hasSecret: boolean,
  given: string | null | undefined,
): void {
  if (hasSecret && given === undefined && HOST_SETTINGS.some((name) => changed.includes(name)))
    throw new ApiError('parameter_required', { path: 'bind_password', rule: 'required' })
}

import { ADMINISTRATION } from '../messages/administration.ts'
import { DIRECTORY_MESSAGES } from '../messages/directories.ts'
import { ENGLISH } from '../messages/english.ts'
import { IDENTITY_MESSAGES } from '../messages/identity.ts'
import { LINK_TYPE_MESSAGES } from '../messages/link-types.ts'
import { REPOSITORIES } from '../messages/repositories.ts'
import { SITE_SETTINGS } from '../messages/site-settings.ts'
import { createMessages } from '../messages/text.ts'

const MESSAGES = {
  ...ENGLISH,
  ...REPOSITORIES,
  ...ADMINISTRATION,
  ...SITE_SETTINGS,
  ...LINK_TYPE_MESSAGES,
  ...IDENTITY_MESSAGES,
  ...DIRECTORY_MESSAGES,
}

export type AdministrationMessageKey = keyof typeof MESSAGES
export const { text, isText } = createMessages(MESSAGES)

import { uploadedAvatarPage } from './accounts/avatars/uploaded-avatar-page.ts'
import { avatarPage } from './accounts/users/avatar-page.ts'
import { finishSignInPage } from './accounts/identity/finish-sign-in-page.ts'
import { startSignInPage } from './accounts/identity/start-sign-in-page.ts'
import { userPage } from './accounts/users/user-page.ts'
import { downloadPage, namelessDownloadPage } from './artifacts/attachments/download-page.ts'
import { originalAttachmentPage } from './artifacts/attachments/original-page.ts'
import { previewPage } from './artifacts/attachments/preview-page.ts'
import { originalPage } from './artifacts/original-page.ts'
import { unsubscribePage } from './feed/notifications/mailing/unsubscribe-page.ts'
import { tusPage } from './files/uploads/tus-page.ts'
import type { Endpoint } from './platform/http/endpoint.ts'
import type { WebPage } from './platform/http/web-page.ts'
import { WELL_KNOWN_PAGES } from './platform/http/well-known.ts'
import { gotoPage } from './projects/references/goto-page.ts'
import { DEFINITION_SCHEMA_PAGES } from './trackers/definition/definition-schema-pages.ts'

/** All pages outside of `/api`. */
export const WEB_PAGES: readonly (WebPage | Endpoint)[] = [
  userPage,
  avatarPage,
  uploadedAvatarPage,
  gotoPage,
  downloadPage,
  namelessDownloadPage,
  previewPage,
  originalAttachmentPage,
  originalPage,
  tusPage,
  unsubscribePage,
  startSignInPage,
  finishSignInPage,
  ...WELL_KNOWN_PAGES,
  ...DEFINITION_SCHEMA_PAGES,
]

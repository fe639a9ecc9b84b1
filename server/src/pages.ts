import { avatarPage } from './accounts/users/avatar-page.ts'
import { userPage } from './accounts/users/user-page.ts'
import type { WebPage } from './platform/http/web-page.ts'
import { gotoPage } from './projects/references/goto-page.ts'

/** Every address for people outside of `/api`. */
export const PAGES: readonly WebPage[] = [userPage, avatarPage, gotoPage]

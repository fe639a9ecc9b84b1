import type { Route } from '../../platform/http/route.ts'
import { createLinkType } from './create-link-type.ts'
import { getLinkType } from './get-link-type.ts'
import { getProjectLinkType } from './get-project-link-type.ts'
import { listLinkTypes } from './list-link-types.ts'
import { listProjectLinkTypes } from './list-project-link-types.ts'
import { switchProjectLinkType } from './switch-project-link-type.ts'
import { updateLinkType } from './update-link-type.ts'

export const LINK_TYPE_ROUTES: readonly Route[] = [
  listLinkTypes,
  createLinkType,
  getLinkType,
  updateLinkType,
  listProjectLinkTypes,
  getProjectLinkType,
  switchProjectLinkType,
]

import type { Route } from '../../platform/http/route.ts'
import { createDirectory } from './create-directory.ts'
import { deleteDirectory } from './delete-directory.ts'
import { getDirectory } from './get-directory.ts'
import { listDirectories } from './list-directories.ts'
import { testDirectory } from './test-directory.ts'
import { updateDirectory } from './update-directory.ts'

/** The routes of directories. */
export const DIRECTORY_ROUTES: readonly Route[] = [
  listDirectories,
  createDirectory,
  getDirectory,
  updateDirectory,
  deleteDirectory,
  testDirectory,
]

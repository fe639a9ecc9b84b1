import type { Route } from '../../platform/http/route.ts'
import { beginImport } from './begin-import.ts'
import { finishImport } from './finish-import.ts'
import { getImport } from './get-import.ts'
import { importItems } from './import-items.ts'
import { listImports } from './list-imports.ts'

export const IMPORT_ROUTES: readonly Route[] = [listImports, beginImport, getImport, finishImport, importItems]

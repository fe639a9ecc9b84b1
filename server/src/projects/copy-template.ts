import type { WriteContext } from '../platform/http/write-context.ts'
import type { Context } from '../platform/operation/context.ts'
import type { ProjectId } from './project.ts'

/** Copies parts of the template into a new project. The trackers module provides it in `ports.ts`. */
export type CopyTemplate = (
  context: Context,
  work: WriteContext,
  copy: { readonly template: number; readonly project: ProjectId },
) => Promise<void>

declare module '../platform/operation/context.ts' {
  interface Context {
    readonly copyTemplate: CopyTemplate
  }
}

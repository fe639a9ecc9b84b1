import { failpoint } from '#failpoint'
import { findCommitter } from '../../accounts/sign-in/find-viewer.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { selectCatalogue, getMessage } from '../../platform/messages/catalogue.ts'
import { readChangedPaths, readCommit } from './changed-paths.ts'
import { findCommitRules } from './find-commit-rules.ts'
import { checkCommit, type HookContext } from './pre-commit.ts'
import { markUnrecorded } from '../revisions/record-missed-revisions.ts'
import { planMoves } from '../revisions/planned-moves.ts'
import { recordMessage, recordRevisions } from '../revisions/record-revisions.ts'
import { CommitRefusal } from './commit-refusal.ts'
import { assertMessage } from './commit-message.ts'

export interface HookAnswer {
  /** Undefined: accept; else the message for the committer. */
  readonly refusal?: string
  /** Runs after the response was sent. */
  readonly later?: () => Promise<void>
}

export async function answerHook(context: Context, [hook = '', ...args]: readonly string[]): Promise<HookAnswer> {
  let committer: Viewer = ANONYMOUS_VIEWER
  try {
    if (hook === 'pre-commit') {
      const [folder = '', name = ''] = args
      const which = ['-t', name] as const
      const changing = readChangedPaths(folder, which)
      changing.catch(() => {}) // Errors of the message are reported first.
      const [repository, { author, message }] = await Promise.all([
        findCommitRules(context, folder),
        readCommit(folder, which),
      ])
      await context.settings.reloadIfChanged(repository.settings_version)
      committer = (await findCommitter(context, author)) ?? ANONYMOUS_VIEWER
      const artifact_ids = await checkCommit({ context, folder, repository, committer }, { which, message, changing })
      const [now, state] = [context.clock.now(), repository.moves_to]
      if (state !== null && artifact_ids.length > 0)
        await planMoves(context.db, repository, { author, message }, { artifact_ids, state, now })
      await markUnrecorded(context.db, repository.id, now)
      failpoint('svn.commit_allowed')
    } else if (hook === 'pre-revprop-change') {
      const [folder = '', , user = '', property = '', action = '', value = ''] = args
      const repository = await findCommitRules(context, folder)
      await context.settings.reloadIfChanged(repository.settings_version)
      committer = (await findCommitter(context, user)) ?? ANONYMOUS_VIEWER
      await checkPropertyChange({ context, folder, repository, committer }, { name: property, action, value })
    } else if (hook === 'post-commit') {
      const [folder = ''] = args
      failpoint('svn.commit_unrecorded')
      return { later: () => record(context, folder) }
    } else if (hook === 'post-revprop-change') {
      const [folder = '', revision = ''] = args
      await recordMessage(context, await findCommitRules(context, folder), folder, Number(revision))
    } else throw new CommitRefusal('failed')
    return {}
  } catch (error) {
    const refusal = error instanceof CommitRefusal ? error : new CommitRefusal('failed')
    if (refusal !== error) context.log.error({ err: error, hook }, 'a hook could not be answered')
    const language = selectCatalogue([committer.language, context.settings.current.language])
    return { refusal: getMessage(language, refusal.message, refusal.places) }
  }
}

/** Runs in the background: if it fails, the poller records the revision (`record-missed-revisions.ts`). */
async function record(context: Context, folder: string): Promise<void> {
  try {
    await recordRevisions(context, await findCommitRules(context, folder), folder)
    failpoint('svn.commit_recorded')
  } catch (error) {
    context.log.error({ err: error, folder }, 'revisions could not be recorded')
  }
}

/**
 * Only the message of an old revision may change, if the repository allows it, and it must follow the message rules.
 */
async function checkPropertyChange(
  { context, repository, committer }: HookContext,
  { name, action, value }: { name: string; action: string; value: string },
): Promise<void> {
  if (name !== 'svn:log' || action !== 'M') throw new CommitRefusal('property')
  if (!repository.is_commit_message_change_allowed) throw new CommitRefusal('message_change')
  await assertMessage(context, repository, committer, value)
}

import { failpoint } from '#failpoint'
import { findCommitter } from '../../accounts/sign-in/find-viewer.ts'
import { ANONYMOUS } from '../../platform/http/exchange.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { catalogueFor, text } from '../../platform/words/catalogue.ts'
import { readChanges, readCommit } from './changed-paths.ts'
import { findRuled } from './find-ruled.ts'
import { checkCommit } from './pre-commit.ts'
import { checkPropertyChange } from './pre-revprop-change.ts'
import { expectCommit } from '../revisions/catch-up.ts'
import { planMoves } from '../revisions/planned-moves.ts'
import { recordMessage, recordRevisions } from '../revisions/record-revisions.ts'
import { Refusal } from './refusal.ts'

export interface HookAnswer {
  /** Undefined: go on; else the words for whoever committed. */
  readonly refusal?: string
  /** What is done when the answer is out. */
  readonly later?: () => Promise<void>
}

export async function answerHook(context: Context, [hook = '', ...args]: readonly string[]): Promise<HookAnswer> {
  let committer: Viewer = ANONYMOUS
  try {
    if (hook === 'pre-commit') {
      const [folder = '', name = ''] = args
      const which = ['-t', name] as const
      const changing = readChanges(folder, which)
      changing.catch(() => {}) // What is wrong with the message is said before it.
      const [repository, { author, message }] = await Promise.all([
        findRuled(context, folder),
        readCommit(folder, which),
      ])
      await context.settings.seen(repository.settings_version)
      committer = (await findCommitter(context, author)) ?? ANONYMOUS
      const artifact_ids = await checkCommit({ context, folder, repository, committer }, { which, message, changing })
      const [now, state] = [context.clock.now(), repository.moves_to]
      if (state !== null && artifact_ids.length > 0)
        await planMoves(context.db, repository, { author, message }, { artifact_ids, state, now })
      await expectCommit(context.db, repository.id, now)
      failpoint('svn.commit_allowed')
    } else if (hook === 'pre-revprop-change') {
      const [folder = '', , user = '', property = '', action = '', value = ''] = args
      const repository = await findRuled(context, folder)
      await context.settings.seen(repository.settings_version)
      committer = (await findCommitter(context, user)) ?? ANONYMOUS
      await checkPropertyChange({ context, folder, repository, committer }, { name: property, action, value })
    } else if (hook === 'post-commit') {
      const [folder = ''] = args
      failpoint('svn.commit_unrecorded')
      return { later: () => record(context, folder) }
    } else if (hook === 'post-revprop-change') {
      const [folder = '', revision = ''] = args
      await recordMessage(context, await findRuled(context, folder), folder, Number(revision))
    } else throw new Refusal('failed')
    return {}
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal('failed')
    if (refusal !== error) context.log.error({ err: error, hook }, 'a hook could not be answered')
    const language = catalogueFor([committer.language, context.settings.current.language])
    return { refusal: text(language, refusal.message, refusal.places) }
  }
}

/** Nobody waits for it: what goes wrong here, or ends with the process, is found by those who look for what was let through. */
async function record(context: Context, folder: string): Promise<void> {
  try {
    await recordRevisions(context, await findRuled(context, folder), folder)
    failpoint('svn.commit_recorded')
  } catch (error) {
    context.log.error({ err: error, folder }, 'revisions could not be recorded')
  }
}

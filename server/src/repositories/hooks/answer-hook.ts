import { findCommitter } from '../../accounts/sign-in/find-viewer.ts'
import { ANONYMOUS } from '../../platform/http/exchange.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { catalogueFor, text } from '../../platform/words/catalogue.ts'
import { readCommit } from './changed-paths.ts'
import { findRuled } from './find-ruled.ts'
import { checkCommit } from './pre-commit.ts'
import { checkPropertyChange } from './pre-revprop-change.ts'
import { expectCommit } from '../revisions/catch-up.ts'
import { recordMessage, recordRevisions } from '../revisions/record-revisions.ts'
import { Refusal } from './refusal.ts'

/** What a hook is told: undefined, go on; else the words for whoever committed. */
export async function answerHook(
  context: Context,
  [hook = '', ...args]: readonly string[],
): Promise<string | undefined> {
  let committer: Viewer = ANONYMOUS
  try {
    if (hook === 'pre-commit') {
      const [folder = '', name = ''] = args
      const [repository, { author, message }] = await Promise.all([
        findRuled(context, folder),
        readCommit(folder, ['-t', name]),
      ])
      await context.settings.seen(repository.settings_version)
      committer = (await findCommitter(context, author)) ?? ANONYMOUS
      await checkCommit({ context, folder, repository, committer }, name, message)
      await expectCommit(context.db, repository.id, context.clock.now())
    } else if (hook === 'pre-revprop-change') {
      const [folder = '', , user = '', property = '', action = '', value = ''] = args
      const repository = await findRuled(context, folder)
      await context.settings.seen(repository.settings_version)
      committer = (await findCommitter(context, user)) ?? ANONYMOUS
      await checkPropertyChange({ context, folder, repository, committer }, { name: property, action, value })
    } else if (hook === 'post-commit') {
      const [folder = ''] = args
      await recordRevisions(context, await findRuled(context, folder), folder)
    } else if (hook === 'post-revprop-change') {
      const [folder = '', revision = ''] = args
      await recordMessage(context, await findRuled(context, folder), folder, Number(revision))
    } else throw new Refusal('failed')
    return undefined
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal('failed')
    if (refusal !== error) context.log.error({ err: error, hook }, 'a hook could not be answered')
    return text(catalogueFor([committer.language, context.settings.current.language]), refusal.message, refusal.places)
  }
}

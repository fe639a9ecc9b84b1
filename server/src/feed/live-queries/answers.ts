import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { untilUnchanged } from '../../platform/operation/until-unchanged.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Place } from '../place.ts'
import type { Answer, Asked } from './answer.ts'
import { createAnswer, loadAnswer, type Question, readQuestion, restsOnArtifacts } from './load-answer.ts'

export interface Opened {
  readonly sight: Sight
  readonly answer: Answer
}

/** The answers that somebody follows, each once. */
export interface Answers {
  readonly followed: Map<string, Answer>
  /** One that is followed already, or a new one; `anew`: in any case. Refuses as the list does. */
  open(context: Context, viewer: Viewer, asked: Asked, anew?: boolean): Promise<Opened>
  /** Ends one, up to this place, because rights have changed: what it found is kept a while for whoever asks the same. */
  retire(answer: Answer, place: Place): void
}

/** Of the connections that everybody shares. */
const AT_ONCE = 2
const KEPT = 10_000

export function createAnswers(): Answers {
  const followed = new Map<string, Answer>()
  const loading = new Map<string, Promise<Answer | undefined>>()
  const retired = new Map<string, { readonly answer: Answer; readonly place: Place; readonly since: number }>()
  const inTurn = createTurns(AT_ONCE)
  const load = (context: Context, question: Question) => {
    const { key } = question
    const begun = loading.get(key)
    if (begun) return begun
    const made = inTurn(() => loadAnswer(context, question)).finally(() => loading.delete(key))
    loading.set(key, made)
    return made
  }
  const revived = (question: Question) => {
    const found = retired.get(question.content)
    return found && createAnswer(question, found.answer.result, found.place)
  }
  return {
    followed,
    retire(answer, place) {
      followed.delete(answer.key)
      const now = Date.now()
      for (const [content, { since }] of retired) if (now - since > KEPT) retired.delete(content)
      if (restsOnArtifacts(answer)) retired.set(answer.content, { answer, place, since: now })
    },
    open: (context, viewer, asked, anew = false) =>
      untilUnchanged(async () => {
        const question = await readQuestion(context, viewer, asked)
        const known = anew ? undefined : (followed.get(question.key) ?? revived(question))
        const answer = known ?? (await load(context, question))
        return answer && { sight: question.sight, answer }
      }),
  }
}

/** Lets so many run at once; the others wait. */
function createTurns(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      await promise
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

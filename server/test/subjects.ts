import { firstVersionOf } from './insert-artifact.ts'
import { ADA, GUS, MARA, OLGA, type Person, PIA, RITA, SAM, TOM, UMA, VICTOR } from './people.ts'
import {
  BUG,
  BUG_BEGINS,
  BUG_REPORT,
  BUGS,
  GATED,
  HOARD,
  HOOK,
  KEEPERS,
  LEADS,
  LEDGER,
  LEDGER_BEGINS,
  LEDGER_REPORT,
  LEDGER_SECRET,
  LOST_BEGINS,
  LOST_BUG,
  LOST_BUGS,
  LOST_REPORT,
  LOST_SEEDS,
  MARSH,
  MARSH_BEGINS,
  MARSH_BUGS,
  MARSH_REPORT,
  MARSH_SECRET,
  OPEN_BUG,
  ORCHARD,
  ORCHARD_SVN,
  PAPER,
  PAPERS,
  PEAT,
  RUIN,
  SAFE,
  SAFE_BEGINS,
  SAFE_REPORT,
  SAFE_SECRET,
  SEEDS,
  VAULT,
  VAULT_SVN,
} from './places.ts'
import { expiredFileOf, ownFileOf } from './seed-files.ts'
import { notificationOf } from './seed-notifications.ts'

/** Who asks. Every matrix of the product uses these nine. */
export const PRINCIPALS = {
  P1: undefined, // anonymous
  P2: RITA, // restricted, a member of another project only
  P3: OLGA, // active, a member of no group of the project
  P4: GUS, // in a static group of the project, not a member
  P5: TOM, // a plain member
  P6: UMA, // a member in a group with more rights
  P7: MARA, // administers the project
  P8: ADA, // site administrator, no member
  P9: SAM, // suspended, was a member
} as const satisfies Record<string, Person | undefined>

export type Principal = keyof typeof PRINCIPALS

/** In which state the addressed thing is. Where a state says nothing of it, its cells are run as those of T1. */
export const STATES = {
  T1: 'readable',
  T2: 'unreadable by project',
  T3: 'unreadable by tracker',
  T4: 'unreadable by field',
  T5: 'unreadable by artifact restriction',
  T6: 'deleted',
  T7: 'absent',
  T8: 'project suspended',
} as const

export type State = keyof typeof STATES

/** What the path names, in each state, and who may see it there. */
export interface Subject {
  params(state: State, principal: Principal): Record<string, string | number>
  sees(principal: Principal, state: State): boolean
}

export const NOBODY = 999_999
const byState = <T>(state: State, ids: { T1: T; T2: T; T6: T; T7: T; T8: T }): T =>
  state === 'T2' || state === 'T6' || state === 'T7' || state === 'T8' ? ids[state] : ids.T1

const inProject = (ids: (state: State) => Record<string, string | number>): Subject => ({
  params: ids,
  sees(principal, state) {
    if (state === 'T7') return false
    if (principal === 'P8') return true
    return byState(state, { T1: principal !== 'P2', T2: false, T6: false, T7: false, T8: false })
  },
})

export const PROJECT = inProject((state) => ({
  id: byState(state, { T1: ORCHARD, T2: VAULT, T6: RUIN, T7: NOBODY, T8: MARSH }),
}))
export const GROUP = inProject((state) => ({
  id: byState(state, { T1: String(LEADS), T2: String(KEEPERS), T6: `${RUIN}_3`, T7: String(NOBODY), T8: `${MARSH}_3` }),
}))
export const SERVICE: Subject = {
  params: (state) => ({ id: byState(state, { T1: ORCHARD_SVN, T2: VAULT_SVN, T6: NOBODY, T7: NOBODY, T8: NOBODY }) }),
  sees: (principal, state) => (state === 'T6' || state === 'T8' ? false : PROJECT.sees(principal, state)),
}
export const REPOSITORY: Subject = {
  params: (state) => ({ id: byState(state, { T1: SEEDS, T2: HOARD, T6: LOST_SEEDS, T7: NOBODY, T8: PEAT }) }),
  sees: (principal, state) => state !== 'T6' && PROJECT.sees(principal, state),
}
/** What is in a private one is for its members, by the access file: whoever administers the platform is none. */
export const BROWSED: Subject = {
  ...REPOSITORY,
  sees: (principal, state) => REPOSITORY.sees(principal, state) && !(principal === 'P8' && state === 'T2'),
}
/** Its number is no secret to who may enter the project. */
export const REVISION: Subject = {
  ...REPOSITORY,
  params: (state, principal) => ({ ...REPOSITORY.params(state, principal), rev: 1 }),
}
/**
 * Bugs is open to all who may enter Orchard, Ledger to its `leads` and its administrators; the trash to nobody. Where it
 * is one artifact that is hidden (T5), it is restricted to `leads`; a field that is hidden (T4) is for administrators.
 */
const inTracker = (ids: {
  T1: number
  T2: number
  T3: number
  T4?: number
  T5?: number
  T6: number
  T8: number
}): Subject => ({
  params(state) {
    const of: Partial<Record<State, number>> = ids
    return { id: state === 'T7' ? NOBODY : (of[state] ?? ids.T1) }
  },
  sees(principal, state) {
    if (state === 'T6' || state === 'T7') return false
    if (principal === 'P8') return true
    if (state === 'T2' || state === 'T8') return false
    if (state === 'T4' && ids.T4 !== undefined) return principal === 'P7'
    const isForFew = state === 'T3' || (state === 'T5' && ids.T5 !== undefined)
    return isForFew ? ['P4', 'P6', 'P7'].includes(principal) : principal !== 'P2'
  },
})
export const TRACKER = inTracker({ T1: BUGS, T2: SAFE, T3: LEDGER, T6: LOST_BUGS, T8: MARSH_BUGS })
export const FIELD = inTracker({ T1: BUG.points, T2: 7121, T3: 7141, T6: 7161, T8: 7181 })
export const UNUSED_FIELD = inTracker({ T1: BUG.old, T2: 7121, T3: 7141, T6: 7161, T8: 7181 })
export const TRANSITION = inTracker({
  T1: BUG_BEGINS,
  T2: SAFE_BEGINS,
  T3: LEDGER_BEGINS,
  T6: LOST_BEGINS,
  T8: MARSH_BEGINS,
})
export const REPORT = inTracker({
  T1: BUG_REPORT,
  T2: SAFE_REPORT,
  T3: LEDGER_REPORT,
  T6: LOST_REPORT,
  T8: MARSH_REPORT,
})
export const WEBHOOK = inTracker({
  T1: HOOK.bugs,
  T2: HOOK.safe,
  T3: HOOK.ledger,
  T6: HOOK.lost,
  T8: HOOK.marsh,
})
export const DELIVERY: Subject = {
  params(state, principal) {
    const params = WEBHOOK.params(state, principal)
    return { ...params, delivery_id: Number(params['id']) + 1000 }
  },
  sees: (principal, state) => WEBHOOK.sees(principal, state),
}
export const ARTIFACT = inTracker({
  T1: OPEN_BUG,
  T2: SAFE_SECRET,
  T3: LEDGER_SECRET,
  T5: GATED,
  T6: LOST_BUG,
  T8: MARSH_SECRET,
})
/** One's own entry about an artifact: it is there as long as that may be read. */
export const OWN_NOTIFICATION: Subject = {
  params(state, principal) {
    const artifact = Number(ARTIFACT.params(state, principal)['id'])
    return { id: state === 'T7' ? NOBODY : notificationOf(PRINCIPALS[principal] ?? VICTOR, artifact) }
  },
  sees: (principal, state) => ARTIFACT.sees(principal, state),
}
export const CHANGESET: Subject = {
  params(state, principal) {
    const params = ARTIFACT.params(state, principal)
    return { ...params, changeset_id: firstVersionOf(Number(params['id'])) }
  },
  sees: (principal, state) => ARTIFACT.sees(principal, state),
}
export const FILE_FIELD = inTracker({
  T1: PAPERS.folders,
  T2: PAPERS.safe,
  T3: PAPERS.ledger,
  T4: PAPERS.secrets,
  T6: PAPERS.lost,
  T8: PAPERS.marsh,
})
export const FILE = inTracker({
  T1: PAPER.open,
  T2: PAPER.safe,
  T3: PAPER.ledger,
  T4: PAPER.secret,
  T5: PAPER.gated,
  T6: PAPER.lost,
  T8: PAPER.marsh,
})
/** What one has uploaded, and nobody else sees: neither what is Victor's, nor what is past its time. */
export const OWN_FILE: Subject = {
  params(state, principal) {
    const own = PRINCIPALS[principal] ?? VICTOR
    const ids = { T1: ownFileOf(own), T2: ownFileOf(VICTOR), T6: expiredFileOf(own), T7: NOBODY, T8: PAPER.open }
    return { id: byState<number>(state, ids) }
  },
  sees: (_, state) => !['T2', 'T6', 'T7', 'T8'].includes(state),
}
/** What is in the trash is known to those who administer the project; what is not there cannot be restored. */
export const LOST_TRACKER: Subject = {
  params: (state) => ({ id: byState(state, { T1: LOST_BUGS, T2: SAFE, T6: NOBODY, T7: NOBODY, T8: NOBODY }) }),
  sees: (principal, state) => !['T2', 'T6', 'T7', 'T8'].includes(state) && (principal === 'P7' || principal === 'P8'),
}
/** A repository in the trash is for site administrators; who is none learns nothing of it. */
export const LOST_REPOSITORY: Subject = {
  params: (state) => ({ id: byState(state, { T1: LOST_SEEDS, T2: HOARD, T6: NOBODY, T7: NOBODY, T8: NOBODY }) }),
  sees: (principal, state) => principal !== 'P8' || !['T2', 'T6', 'T7', 'T8'].includes(state),
}
/** An artifact in the trash is known to those who administer its tracker. */
export const LOST_ARTIFACT: Subject = {
  params: (state) => ({ id: byState(state, { T1: LOST_BUG, T2: SAFE_SECRET, T6: NOBODY, T7: NOBODY, T8: NOBODY }) }),
  sees: (principal, state) => !['T2', 'T6', 'T7', 'T8'].includes(state) && ['P4', 'P6', 'P7', 'P8'].includes(principal),
}
/** Tom is to be seen by all but restricted people who share nothing with him; Pia, who is no account yet, is not. */
export const USER: Subject = {
  params: (state) => ({ id: byState(state, { T1: TOM.id, T2: PIA.id, T6: NOBODY, T7: NOBODY, T8: TOM.id }) }),
  sees(principal, state) {
    if (state === 'T6' || state === 'T7') return false
    if (state === 'T2') return principal === 'P8'
    return principal !== 'P2'
  },
}
/** Routes of site administration refuse all others before they look: what exists there is nobody's business. */
export const ANY_USER: Subject = {
  params: (state, principal) => USER.params(state, principal),
  sees: (principal, state) => principal !== 'P8' || USER.sees(principal, state),
}
export const NOTHING: Subject = { params: () => ({}), sees: () => true }
export const OWN_KEY: Subject = {
  params: (state, principal) => ({
    id: byState(state, {
      T1: PRINCIPALS[principal]?.key_id ?? NOBODY,
      T2: VICTOR.key_id,
      T6: NOBODY,
      T7: NOBODY,
      T8: PRINCIPALS[principal]?.key_id ?? NOBODY,
    }),
  }),
  sees: (_, state) => !['T2', 'T6', 'T7'].includes(state),
}
/** A secret that nobody was given: the same for everybody. */
export const UNKNOWN_SECRET = (param: string, status: 400 | 404): Subject & { unknown: number } => ({
  params: () => ({ [param]: 'c'.repeat(32) }),
  sees: () => true,
  unknown: status,
})

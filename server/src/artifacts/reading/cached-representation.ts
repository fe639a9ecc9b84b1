import { confirmUnchanged } from '../../accounts/sign-in/recalled-sign-in.ts'
import type { RouteCall, RouteReply } from '../../platform/http/route-call.ts'
import { matchesBytes } from '../../platform/wire/etag.ts'
import { toOwnBuffer } from '../../platform/wire/own-buffer.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { getCachedAccess } from '../../trackers/tracker-access.ts'
import type { Tracker } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { Basis, CachedRepresentation } from './representation-cache.ts'
import { readRowVersions, type RowExtent } from './row-versions.ts'
import { describeRights, describeRightsIn } from './viewer-rights.ts'

type Call = Pick<
  RouteCall<{ readonly id: ArtifactId }, unknown, unknown>,
  'context' | 'viewer' | 'params' | 'language' | 'format' | 'headers' | 'recalled'
>
interface Made<T> {
  readonly found: FoundArtifact
  readonly reply: RouteReply<T>
}

/**
 * The stored response to an equal call, if it is still valid; otherwise what `make` returns, which is stored. `form`
 * names the parameters. Why this never answers with outdated or forbidden data: `docs/decisions/18-validated-cache.md`.
 */
export async function cacheRepresentation<T>(
  call: Call,
  form: string,
  make: () => Promise<Made<T>>,
): Promise<RouteReply<T>> {
  const { context, viewer, params, language, format } = call
  const { representations: cache } = context
  // A limited key has other rights than its account.
  if (!cache.isOn || viewer.credential?.projects) return (await make()).reply
  const key = `${params.id} ${format} ${language.tag} ${form}`
  const guess = guessRights(call, key)
  const known = guess && cache.find(key, guess.own)
  if (!guess || !known) {
    cache.count('miss')
    // No statement more than without a cache, so that hidden artifacts take as long as absent ones.
    const { found, reply } = await make()
    noteRequest(call, key, found)
    return reply
  }
  if (known !== 'requested' && isSendable(call, known) && (await isUnchanged(call, known))) {
    cache.count('hit')
    return { stored: known }
  }
  const extent = known === 'requested' ? guess.extent : known.extent
  const before = await readBasis(call, extent)
  if (before && known !== 'requested' && isSame(known, before.basis) && isSendable(call, known)) {
    known.valid.snapshot = before.snapshot
    cache.count('hit')
    return { stored: known }
  }
  cache.count('miss')
  const { found, reply } = await make()
  const { tracker } = found.access
  if (!before || hasChart(tracker) || extentFor(tracker) !== extent) return reply
  // Nothing has changed while it was made, so all of its statements have read the same state.
  const after = await readBasis(call, extent)
  const own = describeRights(found.access, viewer)
  if (!after || own === undefined || !isSame(before.basis, after.basis)) return reply
  const { basis, snapshot } = after
  return {
    ...reply,
    store: ({ etag, lastModified, text }) =>
      cache.store(key, own, tracker.id, {
        ...basis,
        valid: { snapshot },
        etag,
        lastModified,
        body: toOwnBuffer(text),
      }),
  }
}

/** From memory, possibly outdated: only decides whether it is worth reading the row versions. */
function guessRights({ context, viewer }: Call, key: string): { own: string; extent: RowExtent } | undefined {
  const id = context.representations.findTracker(key)
  const tracker = id === undefined ? undefined : context.trackers.peek(id)
  const access = tracker && getCachedAccess(tracker, viewer)
  const own = access && describeRights(access, viewer)
  return tracker && own !== undefined ? { own, extent: extentFor(tracker) } : undefined
}

function noteRequest({ context, viewer }: Call, key: string, { access }: FoundArtifact): void {
  const own = describeRights(access, viewer)
  if (own !== undefined && !hasChart(access.tracker)) context.representations.noteRequest(key, own, access.tracker.id)
}

/**
 * True if nothing at all was written to the database since the rows of the response and of the sign-in were compared:
 * one short statement for many requests, instead of one for each.
 */
async function isUnchanged(call: Call, { valid, trackers, rights, settings }: CachedRepresentation): Promise<boolean> {
  const { context, recalled } = call
  const { snapshots } = context
  // Only worth asking if both were compared in the latest state that is known.
  if (!recalled || valid.snapshot !== snapshots.latest || recalled.valid.snapshot !== snapshots.latest) return false
  const present = await snapshots.read()
  if (valid.snapshot !== present || !confirmUnchanged(recalled, present)) return false
  return settings === context.settings.current && rights === (await describeRightsIn(call, trackers))
}

interface ReadBasis {
  readonly basis: Basis
  readonly snapshot: string
}

/** Undefined if the response to this viewer depends on more. */
async function readBasis(call: Call, extent: RowExtent): Promise<ReadBasis | undefined> {
  const { context, params, recalled } = call
  const { settings, representations, snapshots } = context
  const { current } = settings
  const { [extent]: statements } = representations.statements
  const rows = await readRowVersions({ db: context.db, snapshots }, statements, params.id, recalled)
  if (!rows) return undefined
  const rights = await describeRightsIn(call, rows.trackers)
  if (rights === undefined) return undefined
  const { text: versions, trackers, snapshot } = rows
  return { basis: { versions, rights, extent, settings: current, trackers }, snapshot }
}

function isSame(one: Basis, other: Basis): boolean {
  return (
    one.versions === other.versions &&
    one.rights === other.rights &&
    one.extent === other.extent &&
    one.settings === other.settings
  )
}

/** Without its body it answers only callers who have it. */
function isSendable({ headers }: Call, { body, etag }: CachedRepresentation): boolean {
  return body !== undefined || matchesBytes(headers['if-none-match'], etag)
}

/** Sums depend on all descendants. */
function extentFor({ elements }: Tracker): RowExtent {
  return elements.some((element) => element.is_used && fieldTypeOf(element).sums?.(element) !== undefined)
    ? 'family'
    : 'near'
}

/** Charts depend on the time and on the history of others. */
function hasChart({ elements }: Tracker): boolean {
  return elements.some((element) => element.is_used && fieldTypeOf(element).chart)
}

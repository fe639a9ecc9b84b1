import { fold } from '../../accounts/login.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { findChoosablePeople, findOpenValues } from '../../trackers/binds/population.ts'
import type { Migrating, OpenValue } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { linkTypeRules } from '../../trackers/link-types/link-type-rules.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Element, FieldId, GroupNumber, StoredValues } from '../../trackers/tracker.ts'

/** Lookups that field types need to migrate these values to the other tracker. */
export async function loadMigrating(
  context: Context,
  db: Db | Tx,
  stored: StoredValues,
  from: LoadedTracker,
  to: LoadedTracker,
): Promise<Migrating> {
  const people = new Map<FieldId, ReadonlySet<AccountId>>()
  const openValues = new Map<FieldId, ReadonlyMap<string, OpenValue>>()
  for (const element of from.elements) {
    const there = to.byName.get(element.name)
    const value = stored[String(element.id)]
    if (!element.is_used || !there || value === undefined) continue
    const named = fieldTypeOf(element).people?.(value, element) ?? []
    if (named.length > 0) {
      const found = await findChoosablePeople(context, db, to, there, named)
      people.set(there.id, new Set(found.map(({ id }) => id)))
    }
    if (fieldTypeOf(there).list === 'open')
      openValues.set(there.id, await findOpenValues(db, there.id, labelsIn(value, element)))
  }
  const linkTypes = await linkTypeRules(db, to.project_id)
  return {
    from,
    to,
    groupThere: (group) => groupThere(group, from, to),
    canBeChosen: ({ id }, person) => people.get(id)?.has(person) ?? false,
    findOpenValue: (field, label) => openValues.get(field)?.get(label),
    usesLinkType: (type) => type === '' || linkTypes.get(type)?.is_disabled === false,
  }
}

/** Platform groups exist in every project; project groups match by name. */
function groupThere(group: GroupNumber, from: LoadedTracker, to: LoadedTracker): GroupNumber | undefined {
  const own = from.project.groups.get(group)
  if (!own) return group <= LAST_OF_PLATFORM ? group : undefined
  return to.project.groups.values().find(({ short_name }) => fold(short_name) === fold(own.short_name))?.id
}

const LAST_OF_PLATFORM = 100

function labelsIn(stored: unknown, { bind }: Element): string[] {
  if (!Array.isArray(stored) || bind?.type !== 'static') return []
  return stored.flatMap((each: unknown) => {
    if (isRecord(each)) return typeof each['label'] === 'string' ? [each['label']] : []
    return bind.values.find(({ id }) => id === each)?.label ?? []
  })
}

import { Panel } from '../design/page.tsx'
import { fieldType } from '../field-types/field-types.ts'
import { text } from './messages.ts'
import {
  type Definition,
  type FormElement,
  FIELD_RIGHTS,
  type FieldRight,
  TRACKER_RIGHTS,
  type TrackerRight,
} from './definition.ts'
import type { GrantableGroup } from './definition-query.ts'
import { groupLabel, useDraft } from './draft.ts'
import { elementLabel, typeLabel } from './element-types.ts'
import { type MatrixCell, Matrix } from './matrix.tsx'
import { AdministrationScreen } from './screen.tsx'
import { changeElement, everyElement } from './tree.ts'

/** Permissions on the tracker, its artifacts and its fields. */
export function PermissionsPage() {
  const { definition, change, groups } = useDraft()
  const fields = [...everyElement(definition.elements)].filter(({ permissions }) => permissions !== null)
  const named = [...groups, ...strangers(definition, fields, groups)]
  const columns = named.map(({ name, label }) => ({ key: name, label }))

  const toggle = (given: readonly string[], group: string, what: string, set: Setter): Omit<MatrixCell, 'label'> => {
    const isChecked = given.includes(group)
    const places = { group: groupLabel(named, group), what }
    const label = text(isChecked ? 'permissions.taken' : 'permissions.given', places)
    const wider = isChecked ? undefined : given.find((each) => includes(each, group))
    return {
      isChecked,
      impliedBy: wider === undefined ? undefined : groupLabel(named, wider),
      onToggle: () => change(label, (before) => set(before, (now) => withGroup(now, group, !isChecked))),
    }
  }
  const trackerCell = (key: string, group: string): MatrixCell | undefined => {
    const right = TRACKER_RIGHTS.find((each) => each === key)
    if (!right) return undefined
    const what = text(`permissions.tracker.${right}`)
    const label = text('permissions.cell', { group: groupLabel(named, group), what })
    const set: Setter = (before, next) => setTracker(before, right, next)
    return { label, ...toggle(definition.permissions[right], group, what, set) }
  }
  const fieldCell = (name: string, group: string, part: string): MatrixCell | undefined => {
    const element = fields.find((each) => each.name === name)
    const right = FIELD_RIGHTS.find((each) => each === part)
    if (!element?.permissions || !right || (right !== 'read' && !fieldType(element).editing)) return undefined
    const what = text(`permissions.field.${right}`, { name: elementLabel(element) })
    const label = text('permissions.cell', { group: groupLabel(named, group), what })
    const set: Setter = (before, next) => setField(before, name, right, next)
    return { label, ...toggle(element.permissions[right], group, what, set) }
  }
  return (
    <AdministrationScreen title={text('administration.permissions')} lead={text('permissions.lead')}>
      <Panel title={text('permissions.tracker')} lead={text('permissions.tracker.lead')} isList>
        <Matrix
          label={text('permissions.tracker')}
          corner={text('permissions.may')}
          rows={TRACKER_RIGHTS.map((key) => ({ key, label: text(`permissions.tracker.${key}`) }))}
          columns={columns}
          cell={trackerCell}
        />
      </Panel>
      <Panel title={text('permissions.fields')} lead={text('permissions.fields.lead')} isList>
        <Matrix
          label={text('permissions.fields')}
          corner={text('permissions.of')}
          rows={fields.map((each) => ({ key: each.name, label: elementLabel(each), detail: typeLabel(each.type) }))}
          columns={columns}
          parts={FIELD_RIGHTS.map((key) => ({ key, label: text(`permissions.right.${key}`) }))}
          cell={fieldCell}
        />
      </Panel>
    </AdministrationScreen>
  )
}

type Next = (groups: readonly string[]) => readonly string[]
type Setter = (before: Definition, next: Next) => Definition

function setTracker(before: Definition, right: TrackerRight, next: Next): Definition {
  return { ...before, permissions: { ...before.permissions, [right]: next(before.permissions[right]) } }
}

function setField(before: Definition, name: string, right: FieldRight, next: Next): Definition {
  return changeElement(before, name, (old) =>
    old.permissions ? { ...old, permissions: { ...old.permissions, [right]: next(old.permissions[right]) } } : old,
  )
}

function withGroup(groups: readonly string[], group: string, isGiven: boolean): readonly string[] {
  const others = groups.filter((each) => each !== group)
  return isGiven ? [...others, group] : others
}

/** True if every member of `group` is in `wide`. Members of a project group are known only to be registered. */
function includes(wide: string, group: string): boolean {
  if (wide === group) return false
  if (wide === '@anonymous') return true
  if (wide === '@registered') return group !== '@anonymous'
  return wide === '@members' && group === '@admins'
}

/** Groups with a permission here that the project does not list. */
function strangers(
  definition: Definition,
  fields: readonly FormElement[],
  groups: readonly GrantableGroup[],
): GrantableGroup[] {
  const given = [
    ...TRACKER_RIGHTS.flatMap((right) => definition.permissions[right]),
    ...fields.flatMap(({ permissions }) => FIELD_RIGHTS.flatMap((right) => permissions?.[right] ?? [])),
  ]
  return [...new Set(given)]
    .filter((name) => groups.every((each) => each.name !== name))
    .map((name) => ({ name, label: name }))
}

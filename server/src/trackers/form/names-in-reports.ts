import { isRecord } from '../../platform/wire/schema-shape.ts'

// Members of a report that name fields: those of its criteria, columns and sorts.
const NAMING = new Set(['field', 'name', 'columns'])

/** The names of fields that a report is made of. */
export function reportNames(report: object): ReadonlySet<string> {
  const names = new Set<string>()
  withNames(report, (name) => {
    names.add(name)
    return name
  })
  return names
}

/** The same report after a field was renamed. */
export function renamedIn(report: object, from: string, to: string): object {
  return withNames(report, (name) => (name === from ? to : name))
}

function withNames(report: object, rename: (name: string) => string): object {
  const members = Object.entries(report).map(([key, value]) => [
    key,
    key === 'criteria' || key === 'renderers' ? replaced(value, rename, false) : value,
  ])
  return Object.fromEntries(members)
}

function replaced(value: unknown, rename: (name: string) => string, isName: boolean): unknown {
  if (typeof value === 'string') return isName ? rename(value) : value
  if (Array.isArray(value)) return value.map((each) => replaced(each, rename, isName))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, rename, NAMING.has(key))]))
}

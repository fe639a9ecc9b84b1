import { needString } from './read-string.ts'
import type { Scanner } from './scanner.ts'
import type { PlacedName, Searchable, Select, SelectSource } from './syntax.ts'

/** Parses up to `WHERE`, which must follow; undefined if this is not a cross-tracker search. */
export function parseSelect(scanner: Scanner): Select | undefined {
  const { position } = scanner
  if (scanner.isAtComparison() || !scanner.takeKeyword('SELECT')) return undefined
  const columns: Searchable[] = [scanner.needSearchable()]
  while (scanner.takeSymbol(',')) columns.push(scanner.needSearchable())
  scanner.needKeyword('FROM')
  const first = needSource(scanner, [...OF_PROJECTS, ...OF_TRACKERS])
  const sources = [first]
  // At most one source of each kind; a second one would contradict the first.
  if (scanner.takeKeyword('AND'))
    sources.push(needSource(scanner, first.subject === 'tracker.name' ? OF_PROJECTS : OF_TRACKERS))
  scanner.needKeyword('WHERE')
  return { position, columns, sources }
}

type SubjectPattern = readonly [subject: SelectSource['subject'], pattern: RegExp]

const OF_PROJECTS: readonly SubjectPattern[] = [
  ['project', /@project(?![\w.])/iy],
  ['project.name', /@project\.name(?![\w.])/iy],
  ['project.category', /@project\.category(?![\w.])/iy],
]
const OF_TRACKERS: readonly SubjectPattern[] = [['tracker.name', /@tracker\.name(?![\w.])/iy]]

function needSource(scanner: Scanner, subjects: readonly SubjectPattern[]): SelectSource {
  const { position } = scanner
  const [subject] = subjects.find(([name, pattern]) => scanner.take(`@${name}`, pattern)) ?? scanner.fail()
  if (scanner.takeSymbol('=')) {
    const isMine = subject !== 'tracker.name' && scanner.takeCall('MY_PROJECTS')
    return { position, subject, is: isMine ? 'MY_PROJECTS' : [needName(scanner)] }
  }
  scanner.needKeyword('IN')
  const is = scanner.needList(() => {
    const names = [needName(scanner)]
    while (scanner.takeSymbol(',')) names.push(needName(scanner))
    return names
  })
  return { position, subject, is }
}

function needName(scanner: Scanner): PlacedName {
  const { position } = scanner
  return { text: needString(scanner), position }
}

import { needInteger } from './read-literal.ts'
import { needString } from './read-string.ts'
import type { Scanner } from './scanner.ts'
import type { Expression, LinkTerm } from './syntax.ts'

type ParseExpression = () => Expression
type Narrowed = Pick<LinkTerm, 'ends' | 'tracker' | 'where'>

/** A link term; undefined if none begins here. */
export function parseLink(scanner: Scanner, parse: ParseExpression): LinkTerm | undefined {
  const { position } = scanner
  const link = takeFamily(scanner, parse) ?? takeIs(scanner, parse)
  return link && { kind: 'link', position, ...link }
}

type LinkOf = Omit<LinkTerm, 'kind' | 'position'>

function takeFamily(scanner: Scanner, parse: ParseExpression): LinkOf | undefined {
  const isWith = scanner.takeKeyword('WITH')
  if (!isWith && !scanner.takeKeyword('WITHOUT')) return undefined
  scanner.terms++
  if (isWith && scanner.takeKeyword('ALL')) return parseEvery(scanner, parse)
  const form = scanner.takeKeyword('PARENT') ? 'parent' : needChildren(scanner)
  return { form, isNot: !isWith, isEvery: false, ...parseNarrowed(scanner, parse) }
}

function needChildren(scanner: Scanner): 'children' {
  if (!scanner.takeKeyword('CHILDREN')) scanner.needKeyword('CHILD')
  return 'children'
}

function parseEvery(scanner: Scanner, parse: ParseExpression): LinkOf {
  const form = scanner.takeKeyword('CHILDREN') ? 'children' : needLinks(scanner)
  const where = scanner.takeNested(parse) ?? scanner.fail()
  return { form, isNot: false, isEvery: true, where }
}

function needLinks(scanner: Scanner): 'linked_to' | 'linked_from' {
  scanner.needKeyword('LINKS')
  return needDirection(scanner)
}

function needDirection(scanner: Scanner): 'linked_to' | 'linked_from' {
  if (scanner.takeKeyword('FROM')) return 'linked_from'
  scanner.needKeyword('TO')
  return 'linked_to'
}

function takeIs(scanner: Scanner, parse: ParseExpression): LinkOf | undefined {
  if (!scanner.takeKeyword('IS')) return undefined
  scanner.terms++
  const sense = { isNot: scanner.takeKeyword('NOT'), isEvery: false }
  if (scanner.takeKeyword('LINKED')) {
    const form = needDirection(scanner)
    return { form, ...sense, ...parseNarrowed(scanner, parse), ...parseType(scanner) }
  }
  if (scanner.takeKeyword('COVERED')) {
    return { form: 'covered', ...sense, ...(scanner.takeKeyword('BY') && needArtifact(scanner)) }
  }
  scanner.needKeyword('COVERING')
  return { form: 'covering', ...sense, ...(scanner.takeKeyword('ARTIFACT') && parseOneEnd(scanner)) }
}

function parseType(scanner: Scanner): Pick<LinkTerm, 'type'> {
  if (!scanner.takeKeyword('WITH TYPE')) return {}
  const { position } = scanner
  return { type: { name: needString(scanner), position } }
}

function parseNarrowed(scanner: Scanner, parse: ParseExpression): Narrowed {
  if (scanner.takeKeyword('ARTIFACT')) {
    return scanner.takeKeyword('IN') ? parseEnds(scanner) : parseOneEnd(scanner)
  }
  const tracker = takeTracker(scanner)
  const where = scanner.takeNested(parse)
  return { ...(tracker && { tracker }), ...(where && { where }) }
}

function takeTracker(scanner: Scanner): LinkTerm['tracker'] {
  const { position } = scanner
  if (!scanner.takeKeyword('TRACKER')) return undefined
  const isNot = scanner.takeSymbol('!=')
  if (!isNot) scanner.needSymbol('=')
  return { name: needString(scanner), isNot, position }
}

function needArtifact(scanner: Scanner): Narrowed {
  scanner.needKeyword('ARTIFACT')
  return parseOneEnd(scanner)
}

function parseOneEnd(scanner: Scanner): Narrowed {
  scanner.needSymbol('=')
  return { ends: [needInteger(scanner)] }
}

function parseEnds(scanner: Scanner): Narrowed {
  return scanner.needList(() => {
    const ends = [needInteger(scanner)]
    while (scanner.takeSymbol(',')) ends.push(needInteger(scanner))
    return { ends }
  })
}

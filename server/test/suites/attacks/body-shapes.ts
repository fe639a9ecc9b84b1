import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RequestBodyFormat, parseBody } from '../../../src/platform/wire/body.ts'
import { readInput } from '../../../src/platform/wire/read-input.ts'
import { ApiError } from '../../../src/platform/messages/errors.ts'
import { ROUTES } from '../../../src/routes.ts'

/**
 * Bodies of 8 MiB in every shape that is known to be slow to parse. `node server/test/suites/attacks/body-shapes.ts` prints
 * how long each blocks the event loop, in milliseconds of main thread CPU time.
 */
const SIZE = 8 * 1024 * 1024

interface Shape {
  readonly format: RequestBodyFormat
  readonly make: () => string
}

const fill = (part: string, size = SIZE - 200) => part.repeat(Math.floor(size / part.length))

function fillEach(make: (index: number) => string, separator: string): string {
  const parts: string[] = []
  for (let length = 0, index = 0; length < SIZE - 200; index++) {
    const part = make(index)
    parts.push(part)
    length += part.length + separator.length
  }
  return parts.join(separator)
}

const json = (make: () => string): Shape => ({ format: 'json', make })
const xml = (make: () => string): Shape => ({ format: 'xml', make })
const form = (make: () => string): Shape => ({ format: 'form', make })
const items = (make: (index: number) => string) => json(() => `{"values":[${fillEach(make, ',')}]}`)
const members = (make: (index: number) => string) => json(() => `{${fillEach(make, ',')}}`)
const text = (part: string) => json(() => `{"comment":{"body":"${fill(part)}"}}`)
const inElement = (part: string) => xml(() => `<request><a>${fill(part)}</a></request>`)

export const SHAPES: Readonly<Record<string, Shape>> = {
  'many members': members((index) => `"m${index}":1`),
  'many members with escapes': members((index) => `"\\u0061${index}":1`),
  'long names': members((index) => `"${'n'.repeat(1000)}${index}":1`),
  'equal names': members(() => '"a":1'),
  'numbers in an array': items(() => '1'),
  'texts in an array': items((index) => `"${index}"`),
  'empty objects': items(() => '{}'),
  'sound values': items((index) => `{"field_id":${index},"value":"a"}`),
  'wrong values': items(() => '{"field_id":"a","value":[]}'),
  'few sound values': json(
    () => `{"values":[${Array.from({ length: 11_900 }, (_, at) => `{"field_id":${at},"value":"a"}`).join(',')}]}`,
  ),
  'few members': json(() => `{${Array.from({ length: 49_000 }, (_, at) => `"m${at}":1`).join(',')}}`),
  'deep arrays': items(() => '['.repeat(60) + ']'.repeat(60)),
  'a long text': text('a'),
  'a long text beyond ASCII': text('é'),
  'escaped line ends': text('\\n'),
  'escaped quotes': text('\\"'),
  'escaped backslashes': text('\\\\'),
  'escaped letters': text('\\u00e9'),
  'a number of 8 million digits': json(() => `{"values":${fill('9')}}`),
  'long numbers': items(() => '9'.repeat(120)),
  'spaces before': json(() => `${fill(' ')}{}`),
  'spaces only': json(() => fill(' ')),
  'commas only': json(() => fill(',')),
  'brackets only': json(() => fill('[')),
  '`__proto__`': json(() => `{"__proto__":1,"values":[${fillEach(() => '1', ',')}]}`),
  'XML elements': xml(() => `<request>${fill('<a/>')}</request>`),
  'few XML elements': xml(() => `<request>${'<a>b</a>'.repeat(17_900)}</request>`),
  'few XML names': xml(() => `<request>${Array.from({ length: 35_900 }, (_, at) => `<a${at}/>`).join('')}</request>`),
  'few XML values': xml(
    () => `<request><values>${'<item><field_id>1</field_id></item>'.repeat(8_990)}</values></request>`,
  ),
  'XML attributes': xml(
    () => `<request>${fill(`<a ${Array.from({ length: 60 }, (_, at) => `a${at}="xxxxx"`).join(' ')}/>`)}</request>`,
  ),
  'XML references': inElement('&amp;'),
  'XML text': inElement('a'),
  'XML line ends': inElement('\r\n'),
  'XML brackets': inElement(']'),
  'XML CDATA': xml(() => `<request><a><![CDATA[${fill(']]')}]]></a></request>`),
  'an XML comment': xml(() => `<request><!--${fill('- ')}--></request>`),
  'XML comments before the root': xml(() => `${fill('<!---->')}<request/>`),
  'spaces before XML': xml(() => `${fill(' ')}<request/>`),
  'a long XML name': xml(() => `<${fill('a', SIZE / 2 - 100)}></${fill('a', SIZE / 2 - 100)}>`),
  'a long XML attribute': xml(() => `<request a="${fill(' ')}"/>`),
  'form pairs': form(() => fill('a=1&')),
  'form names': form(() => fillEach((index) => `a${index}=1`, '&')),
  'form separators': form(() => fill('&')),
  'form lists': form(() => fill('a[]=1&')),
  'few form pairs': form(() => 'a[]=1&'.repeat(9_990)),
  'a form of escapes': form(() => `a=${fill('%41')}`),
  'a form of spaces': form(() => `a=${fill('+')}`),
}

const OPERATIONS = ['requestPasswordReset', 'createArtifact', 'updateArtifact', 'createTracker']
const SCHEMAS = ROUTES.filter(({ operationId }) => OPERATIONS.includes(operationId)).flatMap(({ body }) => body ?? [])

/** The longest block of the event loop while parsing this body, in milliseconds of CPU time. */
export async function longestBlock({ format, make }: Shape): Promise<{ milliseconds: number; outcome: string }> {
  const bytes = Buffer.from(make())
  let longest = 0
  let last = processorTime()
  const running = { isOver: false }
  const ticker = (async () => {
    while (!running.isOver) {
      const now = processorTime()
      longest = Math.max(longest, now - last)
      last = now
      await nextTurn()
    }
  })()
  await nextTurn()
  let outcome = 'read'
  try {
    const raw = await parseBody(bytes, format)
    for (const schema of raw ? SCHEMAS : []) {
      await nextTurn()
      try {
        readInput(schema, raw?.value, raw?.dialect ?? 'json')
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    outcome = error.reason
  }
  await nextTurn()
  running.isOver = true
  await ticker
  return { milliseconds: longest, outcome }
}

/** CPU time, not wall time, because other processes share the machine. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

if (import.meta.main) {
  // The first round compiles the schemas and warms up.
  for (let round = 0; round < 2; round++)
    for (const [name, shape] of Object.entries(SHAPES)) {
      const { milliseconds, outcome } = await longestBlock(shape)
      if (round === 1)
        process.stdout.write(`${milliseconds.toFixed(1).padStart(8)} ms  ${outcome.padEnd(20)} ${name}\n`)
    }
}

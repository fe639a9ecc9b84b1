import { expect, test } from 'vitest'
import { parseLongXml, parseXml, writeXml, type XmlNode } from './xml.ts'

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'
const written = (value: unknown) => writeXml(value).slice(DECLARATION.length)
const reasonOf = (text: string) => {
  try {
    parseXml(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}
const outline = ({ name, text, children }: XmlNode): unknown => [
  name,
  children.length > 0 ? children.map(outline) : text,
]
const millisecondsFor = (work: () => unknown) => {
  const start = performance.now()
  work()
  return performance.now() - start
}

test('a response is written as the contract shows it', () => {
  const answer = {
    id: 2041,
    uri: 'artifacts/2041',
    tracker: { id: 12 },
    assignees: [],
    title: null,
    values: [
      { field_id: 310, bind_value_ids: [871] },
      { field_id: 311, value: 'Pump <2>' },
    ],
  }
  expect(writeXml(answer)).toBe(
    '<?xml version="1.0" encoding="utf-8"?>\n' +
      '<response><id>2041</id><uri>artifacts/2041</uri><tracker><id>12</id></tracker><assignees/><title></title>' +
      '<values><item><field_id>310</field_id><bind_value_ids><item>871</item></bind_value_ids></item>' +
      '<item><field_id>311</field_id><value>Pump &lt;2&gt;</value></item></values></response>',
  )
})

test.each([
  ['a root array', ['site_active', 'members'], '<response><item>site_active</item><item>members</item></response>'],
  ['an empty root', {}, '<response/>'],
  ['empty things', { a: [], b: {}, c: '', d: null }, '<response><a/><b/><c></c><d></d></response>'],
  ['nothing in an array', [null, '', [], {}], '<response><item></item><item></item><item/><item/></response>'],
  ['booleans', { a: true, b: [false] }, '<response><a>true</a><b><item>false</item></b></response>'],
  ['numbers', { a: -0, b: 1e21, c: 0.1 }, '<response><a>0</a><b>1e+21</b><c>0.1</c></response>'],
  ['a member called text', { text: 'x' }, '<response><text>x</text></response>'],
  ['a member that is undefined', { a: undefined, b: 1 }, '<response><b>1</b></response>'],
  ['a name of another script', { größe: 1 }, '<response><größe>1</größe></response>'],
  [
    'names that are no XML names',
    { '102_3': 1, 'a b': [], 'x:y': 2, '<"\n&>': null, '': 3 },
    '<response><entry key="102_3">1</entry><entry key="a b"/><entry key="x:y">2</entry>' +
      '<entry key="&lt;&#34;&#10;&amp;&gt;"></entry><entry key="">3</entry></response>',
  ],
])('%s is written as the contract says', (_, value, xml) => {
  expect(written(value)).toBe(xml)
})

test('characters that XML forbids become U+FFFD, and stay so when read back', () => {
  const xml = writeXml('\u0001 \ufffe \ud800 ]]> \r\n😀')
  expect(parseXml(xml).text).toBe('\ufffd \ufffd \ufffd ]]> \r\n😀')
  expect(writeXml(parseXml(xml).text)).toBe(xml)
})

test('elements, CDATA, references and spaces are read; comments, instructions and attributes are skipped', () => {
  const xml = `\ufeff<?xml version="1.0" encoding="UTF-8"?><?xml-stylesheet href="x"?><!-- <!DOCTYPE -->
    <request a="1"> <id type="int">12</id>
      <text>a<!-- no -->b<![CDATA[<c> <!DOCTYPE html>]]>&amp;&#65; </text><entry key="102_3">x</entry><entry>y</entry><none/></request>`
  expect(outline(parseXml(xml))).toEqual([
    'request',
    [
      ['id', '12'],
      ['text', 'ab<c> <!DOCTYPE html>&A '],
      ['102_3', 'x'],
      ['entry', 'y'],
      ['none', ''],
    ],
  ])
})

test.each([
  '<!DOCTYPE a><a/>',
  '<!doctype a><a/>',
  '\ufeff\n<?xml version="1.0"?><!-- x --><?y z?>\n<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  '<!DOCTYPE a PUBLIC "x" "http://x/"><a/>',
  '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://x/"> %p;]><a/>',
  '<!DOCTYPE',
])('a DOCTYPE is refused: %s', (xml) => {
  expect(reasonOf(xml)).toBe('xml_doctype')
})

test.each([
  '',
  'text',
  '{"a":1}',
  '<a>',
  '<a></b>',
  '<a/><b/>',
  '<a>&unknown;</a>',
  '<a>&#0;</a>',
  '<a>&#xD800;</a>',
  '<a>\u0001</a>',
  '<?xml version="1.1"?><a>&#1;</a>',
  '<a>x<b/></a>',
  '<a><b/>x</a>',
  '<a><b/>\u00a0</a>',
  '<a><b/><![CDATA[x]]></a>',
  '<a><!DOCTYPE b></a>',
  '<a b="1" b="2"/>',
  '<a b=1/>',
  '<!-->',
  '<?xml version="1.0" encoding="utf-16"?><a/>',
])('invalid XML and mixed content are malformed: %s', (xml) => {
  expect(reasonOf(xml)).toBe('body_malformed')
})

test('64 levels are read, 65 are refused', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
  expect(reasonOf(nested(64))).toBeUndefined()
  expect(reasonOf(nested(65))).toBe('body_malformed')
})

test.each([
  ['10 MB of references', `<a>${'&#65;'.repeat(2_000_000)}</a>`],
  ['a million attributes', `<a ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`],
  ['10,000 namespaces', `<a ${Array.from({ length: 10_000 }, (_, at) => `xmlns:n${at}="u${at}"`).join(' ')}/>`],
  ['a depth of 100,000', '<a>'.repeat(100_000)],
])('%s is refused at once', (_, xml) => {
  expect(millisecondsFor(() => expect(reasonOf(xml)).toBe('body_malformed'))).toBeLessThan(5000) // 100 ms on an idle machine.
})

test('an escaped text of ordinary size is read in full', () => {
  expect(parseXml(`<a>${'&lt;p&gt;'.repeat(100_000)}</a>`).text).toHaveLength(300_000)
})

test('names of prototype members are ordinary names', () => {
  expect(outline(parseXml('<a __proto__="1"><__proto__>x</__proto__><entry key="__proto__">y</entry></a>'))).toEqual([
    'a',
    [
      ['__proto__', 'x'],
      ['__proto__', 'y'],
    ],
  ])
})

test('a comment may be long, but not of hyphens only', async () => {
  const withComment = (part: string) => parseLongXml(`<request><!--${part.repeat(600_000)}--></request>`)
  expect((await withComment('ab ')).name).toBe('request')
  await expect(withComment('- ')).rejects.toMatchObject({ reason: 'body_malformed' })
})

test('line ends of a long text are line feeds, wherever its slices end', async () => {
  for (const before of ['', 'a', 'ab']) {
    const { text } = await parseLongXml(`<request>${before}${'\r\n\r'.repeat(30_000)}</request>`)
    expect(text).toBe(before + '\n\n'.repeat(30_000))
  }
})

import type { RequestDraft } from './draft.ts'
import { anyText, anyValue } from './hostile-values.ts'
import type { Knowledge } from './knowledge.ts'
import type { RepeatableRandom } from './random.ts'

/** Makes a body invalid. */
export function spoilBody(draft: RequestDraft, _known: Knowledge, random: RepeatableRandom): void {
  const text = JSON.stringify(draft.body ?? {})
  const make = random.pick(BODIES)
  const { body, type } = make(text, random)
  draft.raw.body = body
  draft.headers['content-type'] = type
  draft.headers['content-length'] = body.length
}

interface SpoiltBody {
  body: Buffer
  type: string
}

type Make = (json: string, random: RepeatableRandom) => SpoiltBody

const json = (text: string | Buffer): SpoiltBody => ({ body: Buffer.from(text), type: 'application/json' })
const xml = (text: string | Buffer): SpoiltBody => ({ body: Buffer.from(text), type: 'application/xml' })
const form = (text: string): SpoiltBody => ({ body: Buffer.from(text), type: 'application/x-www-form-urlencoded' })

const LAUGHS = `<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]><r>&c;</r>`
const EXTERNAL = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><request><text>&x;</text></request>'

const BODIES: readonly [Make, ...Make[]] = [
  (text) => json(text.slice(0, -1)),
  (text) => json(`${text}${text}`),
  (text) => json(`\uFEFF${text}`),
  (text) => json(Buffer.from(text, 'utf16le')),
  (text) => json(Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])])),
  () => json(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])),
  () => json('{"a":"\\ud800","b":"\\u0000"}'),
  (text) => json(text.replace('{', '{"__proto__":{"is_site_admin":true},"constructor":{"prototype":{"x":1}},')),
  (text) => json(text.replace('{', '{"username":"a","username":"b",')),
  () => json('[1e400,-1e400,123456789012345678901234567890,0.1e-400]'),
  () => json(`${'['.repeat(5000)}${']'.repeat(5000)}`),
  () => json(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`),
  () => json('"text"'),
  () => json('null'),
  () => json('[]'),
  () => json('42'),
  () => json('   '),
  () => json('\0'),
  () => json('NaN'),
  () => json('{"a":.5,}'),
  (_, random) => json(JSON.stringify(anyValue(random)) ?? 'null'),
  (_, random) => json(JSON.stringify({ [anyText(random)]: anyValue(random), text: anyText(random) })),
  () => json(`{"x":"${'y'.repeat(300_000)}"}`),
  () => json(`{${Array.from({ length: 5000 }, (_, at) => `"k${at}":${at}`).join(',')}}`),
  () => xml(LAUGHS),
  () => xml(EXTERNAL),
  () => xml('<request><a>&#0;&#xFFFF;</a></request>'),
  () => xml('<request><a></request>'),
  () => xml('<request>text<a/>text</request>'),
  () => xml('<request><item>1</item><item/></request>'),
  () => xml('<request><constructor>1</constructor><toString/></request>'),
  () => xml('<request xmlns="urn:x" a="1" a="2"/>'),
  () => xml(`${'<a>'.repeat(3000)}${'</a>'.repeat(3000)}`),
  () => xml(`<request><text>${'&lt;'.repeat(20_000)}</text></request>`),
  () => xml('<?xml version="1.0" encoding="utf-16"?><request/>'),
  () => xml('<?xml version="1.1"?><request>\u0001</request>'),
  () => xml('<request><![CDATA[<evil/>]]></request>'),
  () => xml('not xml at all'),
  () => xml('<entry key="__proto__"><entry key="a">1</entry></entry>'),
  () => form('a=%ff&b=%'),
  () => form('a[]=1&a[b]=2&a=3'),
  () => form('__proto__[x]=1'),
  () => form('&&&='),
  () => form('username=a&username=b&text=%00'),
  (text) => ({ body: Buffer.from(text), type: 'text/plain' }),
  (text) => ({ body: Buffer.from(text), type: 'multipart/form-data; boundary=x' }),
  (text) => ({ body: Buffer.from(text), type: 'application/xml' }),
  (text) => ({ body: Buffer.from(text), type: 'application/x-www-form-urlencoded' }),
  (text) => ({ body: Buffer.from(text), type: 'application/json; charset=utf-16' }),
]

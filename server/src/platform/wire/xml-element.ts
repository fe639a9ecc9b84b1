import { escapeXmlAttribute, escapeXmlText, writeXmlMembers } from './xml.ts'

/** A serialized part of an XML document; all texts in it are escaped. */
export class XmlElement {
  readonly written: string

  constructor(name: string, attributes: Attributes, content: string) {
    const given = Object.entries(attributes)
      .map(([attribute, value]) => (value === undefined ? '' : ` ${attribute}="${escapeXmlAttribute(String(value))}"`))
      .join('')
    this.written = content === '' ? `<${name}${given}/>` : `<${name}${given}>${content}</${name}>`
  }
}

/** Undefined attributes are omitted. */
export type Attributes = Readonly<Record<string, string | number | undefined>>

/** An element with child elements or text. */
export function xmlElement(
  name: string,
  attributes: Attributes,
  ...content: readonly (XmlElement | string | number)[]
): XmlElement {
  const written = content.map((each) => (each instanceof XmlElement ? each.written : escapeXmlText(String(each))))
  return new XmlElement(name, attributes, written.join(''))
}

/** An object as in responses: members become elements, array elements become `item`. */
export function xmlObject(name: string, attributes: Attributes, value: object): XmlElement {
  return new XmlElement(name, attributes, writeXmlMembers(value))
}

export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${root.written}`
}

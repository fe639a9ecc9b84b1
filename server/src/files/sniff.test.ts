import { describe, expect, test } from 'vitest'
import { SNIFF_BYTES, sniffType } from './sniff.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
const JPEG = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.from('ffdb004300', 'hex'),
])
const GIF = Buffer.concat([Buffer.from('GIF89a'), Buffer.from('01000100800000000000ffffff21f904', 'hex')])
const WEBP = Buffer.concat([Buffer.from('RIFF'), Buffer.from([26, 0, 0, 0]), Buffer.from('WEBPVP8L')])
const OTHER = 'application/octet-stream'

describe('the detected type', () => {
  test.each([
    ['a PNG', PNG, 'image/png'],
    ['a JPEG', JPEG, 'image/jpeg'],
    ['a GIF', GIF, 'image/gif'],
    ['a WebP', WEBP, 'image/webp'],
    ['a PDF', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj', 'latin1'), 'application/pdf'],
    ['plain text', Buffer.from('Hello, Waypost!\n'), 'text/plain'],
    ['text in UTF-8', Buffer.from('Grüße, 日本語 🍏\r\n\tindented\f'), 'text/plain'],
    ['text with a mark of its order', Buffer.from('\ufeffHello'), 'text/plain'],
    ['text with angles', Buffer.from('if a < b and c > d: print("<ok>")'), 'text/plain'],
    ['nothing', Buffer.alloc(0), 'text/plain'],
    ['a JPEG with metadata in XML', Buffer.concat([JPEG, Buffer.from('<?xpacket begin?><x:xmpmeta>')]), 'image/jpeg'],
  ])('%s is shown inline', (_, bytes, type) => {
    expect(sniffType(bytes)).toBe(type)
  })

  test.each([
    ['HTML', '<!DOCTYPE html><p>Hello'],
    ['HTML behind white space', ' \n\t<b>Hello'],
    ['HTML behind a mark of its order', '\ufeff<html>'],
    ['a comment of HTML', '<!-- Hello -->'],
    ['XML', '<?xml version="1.0"?><a/>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['HTML in the middle of text', 'Hello\n<SCRIPT src=x></script>'],
    ['a tag that ends with a line', 'Hello <iframe\nsrc=x>'],
    ['a script of a shell', '#!/bin/sh\nrm -rf /'],
    ['PHP', 'a <?php phpinfo();'],
    ['PostScript', '%!PS-Adobe-3.0'],
    ['a PDF that does not begin as one', 'Hello %PDF-1.7\n'],
    ['text with a control character', 'Hello\x1b[31m'],
    ['a ZIP', 'PK\x03\x04'],
  ])('%s is not shown inline', (_, text) => {
    expect(sniffType(Buffer.from(text))).toBe(OTHER)
  })

  test.each([
    ['a GIF that is a script as well', Buffer.from('GIF89a/*\0\0\0\0\0*/=1;alert(1)')],
    ['a GIF with HTML behind it', Buffer.concat([GIF, Buffer.from('<script>alert(1)</script>')])],
    ['a PNG with HTML in a text of its own', Buffer.concat([PNG, Buffer.from('tEXt<html><body>')])],
    ['a JPEG whose comment is HTML', Buffer.concat([JPEG, Buffer.from('<img src=x onerror=alert(1)>')])],
    ['a JPEG that is a PDF as well', Buffer.concat([JPEG, Buffer.from('%PDF-1.7\n')])],
    ['a JPEG whose first segment leads nowhere', Buffer.concat([JPEG.subarray(0, 20), Buffer.from('*/alert(1)')])],
    ['a PNG of which only the signature is right', Buffer.from('89504e470d0a1a0a3c3c3c3c', 'hex')],
    ['a PDF with HTML in its head', Buffer.from('%PDF-1.7\n<script>alert(1)</script>')],
    ['a WebP that is none', Buffer.from('RIFF\0\0\0\0WEBPxxxx')],
    ['broken UTF-8', Buffer.from([0x48, 0xc3, 0x28])],
    ['text in UTF-16', Buffer.from('\ufeffHello', 'utf16le')],
    ['text in Latin-1', Buffer.from('Grüße', 'latin1')],
  ])('C05 %s is not shown inline', (_, bytes) => {
    expect(sniffType(bytes)).toBe(OTHER)
  })

  test('a character cut by the sniff limit is valid, one cut by the end of the file is not', () => {
    const long = Buffer.concat([Buffer.alloc(SNIFF_BYTES - 1, 'a'), Buffer.from('é')])
    expect(sniffType(long.subarray(0, SNIFF_BYTES))).toBe('text/plain')
    expect(sniffType(Buffer.from('é').subarray(0, 1))).toBe(OTHER)
  })
})

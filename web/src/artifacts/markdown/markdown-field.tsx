import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { FieldFrame, type FieldFrameProps, LongTextField } from '../../design/field.tsx'
import { useCurrentPlace } from '../../shell/use-current-place.ts'
import styles from './markdown-field.module.css'
import type * as EditorCode from './editor.ts'
import { formatText, type TextFormatting } from './format-text.ts'
import { FormattingToolbar } from './formatting-toolbar.tsx'

interface Props extends FieldFrameProps {
  /** The name by which a page finds the field to focus it. */
  readonly name?: string | undefined
  readonly placeholder?: string | undefined
  readonly autoFocus?: boolean | undefined
  readonly value: string
  readonly onChange: (text: string) => void
}

/** Building the editor takes as long as the rest of the page, so it starts after the first paint. */
const EDITOR_DELAY_MS = 200

/** A Markdown field: a plain textarea until the editor is loaded, and for as long as someone is writing in it. */
export function MarkdownField(props: Props) {
  const [code, setCode] = useState(props.autoFocus ? loaded : undefined)
  const plain = useRef<HTMLTextAreaElement>(null)
  const hadFocus = useRef(false)
  useEffect(() => {
    if (code) return undefined
    const end = new AbortController()
    const take = () => {
      hadFocus.current = document.activeElement === plain.current
      // The caret of a text and a composition would be lost.
      if (hadFocus.current && plain.current?.value !== '')
        plain.current?.addEventListener(
          'blur',
          () => {
            hadFocus.current = false
            setCode(loaded)
          },
          { signal: end.signal },
        )
      // At once: a key that is pressed before the editor has the focus would be lost, and the focus would come back later.
      else flushSync(() => setCode(loaded))
    }
    const timer = setTimeout(() => {
      load().then(
        () => end.signal.aborted || take(),
        () => undefined, // Without the editor, the plain field remains.
      )
    }, EDITOR_DELAY_MS)
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [code])
  if (code) return <RichField {...props} autoFocus={props.autoFocus === true || hadFocus.current} code={code} />
  const { label, hint, error, isBare, name, placeholder, autoFocus, value, onChange } = props
  const format = (formatting: TextFormatting) => {
    const field = plain.current
    if (!field) return
    const { from, to, insert, select } = formatText(value, field.selectionStart, field.selectionEnd, formatting)
    field.focus()
    flushSync(() => onChange(value.slice(0, from) + insert + value.slice(to)))
    field.setSelectionRange(...select)
  }
  return (
    <div className={styles['field']}>
      <FormattingToolbar isAbove={isBare === true} onFormat={format} />
      <LongTextField
        {...{ label, hint, error, isBare, placeholder, autoFocus, value }}
        ref={plain}
        data-name={name}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

function RichField({ code, ...props }: Props & { code: typeof EditorCode }) {
  const id = useId()
  const { label, hint, error, isBare, name, placeholder, autoFocus, value } = props
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorCode.Editor>(undefined)
  const { project } = useCurrentPlace()
  const latest = useRef({ ...props, project })
  latest.current = { ...props, project }
  const description = [hint, error].filter((note) => note !== undefined).join(' ') || undefined
  const about: EditorCode.About = { label, description, placeholder, isInvalid: error !== undefined }
  useEffect(() => {
    if (!host.current) return undefined
    const onChange = (text: string) => latest.current.onChange(text)
    editor.current = code.openEditor(host.current, {
      text: value,
      about,
      onChange,
      project: () => latest.current.project?.id,
    })
    if (autoFocus) host.current.focus()
    return () => editor.current?.close()
  }, [])
  useEffect(() => editor.current?.write(value), [value])
  useEffect(() => editor.current?.describe(about), [label, description, placeholder, about.isInvalid])
  return (
    <div className={styles['field']}>
      <FormattingToolbar isAbove={isBare === true} onFormat={(formatting) => editor.current?.format(formatting)} />
      <FieldFrame id={id} label={label} hint={hint} error={error} isBare={isBare} onPress={() => host.current?.focus()}>
        <div ref={host} tabIndex={0} className={styles['rich']} data-name={name} data-invalid={about.isInvalid} />
      </FieldFrame>
    </div>
  )
}

let loaded: typeof EditorCode | undefined

async function load(): Promise<void> {
  loaded ??= await import('./editor.ts')
}

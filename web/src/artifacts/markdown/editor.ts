import { autocompletion, closeCompletion, completionKeymap } from '@codemirror/autocomplete'
import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown'
import { HighlightStyle, LanguageSupport, syntaxHighlighting } from '@codemirror/language'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { formatText, type TextFormatting } from './format-text.ts'
import { offerReferences } from './offer-references.ts'

/** The labels around the editor, for assistive technology. */
export interface About {
  readonly label: string
  readonly description: string | undefined
  readonly placeholder: string | undefined
  readonly isInvalid: boolean
}

export interface Editor {
  /** Replaces the content, unless the text came from this editor. */
  write(text: string): void
  describe(about: About): void
  /** Formats the selection, and takes the focus. */
  format(formatting: TextFormatting): void
  close(): void
}

interface Options {
  readonly text: string
  readonly about: About
  readonly onChange: (text: string) => void
  /** The id of the project whose members are offered first. */
  readonly project: () => number | undefined
}

/** Marks changes that the page makes, which are not reported to it. */
const isFromPage = Annotation.define<boolean>()

/** Opens a Markdown editor in this element. */
export function openEditor(host: HTMLElement, { text, about, onChange, project }: Options): Editor {
  // The CSP forbids style elements. In a shadow root CodeMirror uses adopted style sheets instead.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true })
  const described = new Compartment()
  // A reported text comes back with the next render, possibly after more was typed: it must not overwrite the editor.
  const reported = [text]
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of(KEYS),
        history(),
        // `markdown()` would also load the languages of code blocks, which are most of the bytes.
        new LanguageSupport(markdownLanguage),
        autocompletion({ override: [(context) => offerReferences(context, project())], icons: false }),
        keymap.of([...markdownKeymap, ...standardKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.domEventHandlers({ drop: hasFiles, paste: hasFiles }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || update.transactions.some((change) => change.annotation(isFromPage))) return
          reported.push(update.state.doc.toString())
          onChange(update.state.doc.toString())
        }),
        syntaxHighlighting(HIGHLIGHTS),
        THEME,
        described.of(describeEditor(about)),
      ],
    }),
  })
  host.focus = () => view.focus() // The default would focus the scroll container.
  return {
    write(next) {
      const at = reported.indexOf(next)
      if (at >= 0) {
        reported.splice(0, at)
        return
      }
      // Texts from before do not come back by themselves: a refused comment is written again, although it was reported.
      reported.splice(0, reported.length, next)
      const changes = { from: 0, to: view.state.doc.length, insert: next }
      view.dispatch({ changes, annotations: isFromPage.of(true) })
    },
    format(formatting) {
      formatSelection(view, formatting)
      view.focus()
    },
    describe: (next) => view.dispatch({ effects: described.reconfigure(describeEditor(next)) }),
    close: () => view.destroy(),
  }
}

/** Files are handled by the form around it; the editor would insert their content as text. */
function hasFiles(event: DragEvent | ClipboardEvent): boolean {
  const { files } = ('dataTransfer' in event ? event.dataTransfer : event.clipboardData) ?? {}
  return files !== undefined && files.length > 0
}

function formatSelection(view: EditorView, formatting: TextFormatting): boolean {
  const { from, to } = view.state.selection.main
  const { select, ...changes } = formatText(view.state.doc.toString(), from, to, formatting)
  view.dispatch({ changes, selection: { anchor: select[0], head: select[1] }, userEvent: 'input' })
  return true
}

const KEYS = [
  { key: 'Mod-b', run: (view: EditorView) => formatSelection(view, 'bold') },
  { key: 'Mod-i', run: (view: EditorView) => formatSelection(view, 'italic') },
  // Escape closes the completion list, not the form around it.
  { key: 'Escape', run: closeCompletion, stopPropagation: true },
  ...completionKeymap,
  // Sends the form instead of inserting a line.
  { key: 'Mod-Enter', run: () => true },
]

function describeEditor({ label, description, placeholder: hint, isInvalid }: About): Extension {
  return [
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-invalid': String(isInvalid),
      spellcheck: 'true',
      dir: 'auto',
      ...(description !== undefined && { 'aria-description': description }),
    }),
    placeholder(hint ?? ''),
  ]
}

const HIGHLIGHTS = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.monospace, fontFamily: 'var(--font-code)' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: tags.quote, color: 'var(--ink-quiet)' },
  { tag: tags.processingInstruction, color: 'var(--ink-quiet)' },
])

const THEME = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: 'var(--line)', maxHeight: '70vh', overflow: 'auto' },
  '.cm-content': {
    minHeight: 'var(--editor-height, calc(6rem - 2px))',
    padding: 'var(--space-2) 0',
    caretColor: 'var(--ink)',
  },
  '.cm-line': { padding: '0 var(--space-3)' },
  '.cm-placeholder': { color: 'var(--ink-quiet)' },
  '.cm-tooltip': {
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--raised)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: 'var(--space-1) var(--space-3)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--selected)', color: 'var(--ink)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--ink-quiet)', fontStyle: 'normal' },
})

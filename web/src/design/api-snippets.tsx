import { useState } from 'react'
import { text } from '../messages/text.ts'
import { Button } from './button.tsx'
import styles from './copy.module.css'

/** A text with a copy button. */
export function Copyable({ value, label, autoFocus = false }: { value: string; label: string; autoFocus?: boolean }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    // The clipboard API needs HTTPS; without it, a click still selects the text.
    if (!('clipboard' in navigator)) return
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <div className={styles['copy']}>
      <code aria-label={label}>{value}</code>
      <Button autoFocus={autoFocus} onPress={() => void copy()} aria-label={text('copy.what', { what: label })}>
        <span aria-live="polite">{text(isCopied ? 'copied' : 'copy')}</span>
      </Button>
    </div>
  )
}

/** The API call of this screen, to run with an access key. */
export function ApiCall({ path }: { path: string }) {
  const call = `curl -H "X-Auth-AccessKey: $KEY" '${location.origin}/api${path}'`
  return (
    <details className={styles['call']}>
      <summary>{text('api_call')}</summary>
      <Copyable value={call} label={text('api_call.label')} />
    </details>
  )
}

export interface SnippetCall {
  readonly label: string
  /** An operation as in the API description: `GET /artifacts/{id}`. */
  readonly operation: string
  readonly path?: Readonly<Record<string, number | string>>
  readonly query?: Readonly<Record<string, number | string>>
  readonly body?: object
}

/** Several API calls, as curl and as TypeScript; drawn once they are opened, because every page has them. */
export function ApiCalls({ calls }: { calls: readonly SnippetCall[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles['call']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text('api_call')}</summary>
      {isOpen && <ApiSnippets calls={calls} />}
    </details>
  )
}

export function ApiSnippets({ calls }: { calls: readonly SnippetCall[] }) {
  return calls.map((call) => (
    <div key={call.label} className={styles['calls']}>
      <p>{call.label}</p>
      <Copyable value={toCurl(call)} label={text('api_call.curl', { what: call.label })} />
      <Copyable value={toTypescript(call)} label={text('api_call.typescript', { what: call.label })} />
    </div>
  ))
}

function toCurl({ operation, path = {}, query = {}, body }: SnippetCall): string {
  const [method = 'GET', template = ''] = operation.split(' ')
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const address = `${location.origin}/api${filled}${parameters.size === 0 ? '' : `?${parameters}`}`
  const sent = body && ` -H "Content-Type: application/json" -d ${quoted(JSON.stringify(body))}`
  return `curl${method === 'GET' ? '' : ` -X ${method}`} -H "X-Auth-AccessKey: $KEY"${sent ?? ''} ${quoted(address)}`
}

/** Quotes a shell argument: a single quote is closed, escaped and reopened. */
function quoted(given: string): string {
  return `'${given.replaceAll("'", `'\\''`)}'`
}

function toTypescript({ operation, path, query, body }: SnippetCall): string {
  const input = JSON.stringify({ path, query, body }, undefined, 2)
  return `const answer = await waypost.call('${operation}', ${input})`
}

import { useState } from 'react'
import { text } from '../words/text.ts'
import { Button } from './button.tsx'
import styles from './copy.module.css'

/** A text to take along. */
export function Copyable({ value, label, autoFocus = false }: { value: string; label: string; autoFocus?: boolean }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    // Without https there is no clipboard; the text is selected by one click all the same.
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

/** What this screen shows, as a call that anybody with a key can make. */
export function ApiCall({ path }: { path: string }) {
  const call = `curl -H "X-Auth-AccessKey: $KEY" '${location.origin}/api${path}'`
  return (
    <details className={styles['call']}>
      <summary>{text('api_call')}</summary>
      <Copyable value={call} label={text('api_call.label')} />
    </details>
  )
}

export interface Call {
  readonly label: string
  /** As the manual writes it: `GET /artifacts/{id}`. */
  readonly operation: string
  readonly path?: Readonly<Record<string, number | string>>
  readonly query?: Readonly<Record<string, number | string>>
  readonly body?: object
}

/** The same for several calls, in the shell and in TypeScript. */
export function ApiCalls({ calls }: { calls: readonly Call[] }) {
  return (
    <details className={styles['call']}>
      <summary>{text('api_call')}</summary>
      {calls.map((call) => (
        <div key={call.label} className={styles['calls']}>
          <p>{call.label}</p>
          <Copyable value={curlOf(call)} label={text('api_call.curl', { what: call.label })} />
          <Copyable value={typescriptOf(call)} label={text('api_call.typescript', { what: call.label })} />
        </div>
      ))}
    </details>
  )
}

function curlOf({ operation, path = {}, query = {}, body }: Call): string {
  const [method = 'GET', template = ''] = operation.split(' ')
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const address = `${location.origin}/api${filled}${parameters.size === 0 ? '' : `?${parameters}`}`
  const sent = body && ` -H "Content-Type: application/json" -d ${quoted(JSON.stringify(body))}`
  return `curl${method === 'GET' ? '' : ` -X ${method}`} -H "X-Auth-AccessKey: $KEY"${sent ?? ''} ${quoted(address)}`
}

/** For a shell: a quote ends the text, stands for itself, and begins it again. */
function quoted(given: string): string {
  return `'${given.replaceAll("'", `'\\''`)}'`
}

function typescriptOf({ operation, path, query, body }: Call): string {
  const input = JSON.stringify({ path, query, body }, undefined, 2)
  return `const answer = await waypost.call('${operation}', ${input})`
}

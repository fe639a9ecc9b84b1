import type { ReactNode } from 'react'
import type { TrackerField } from '@waypost/sdk/api'
import { Panel } from '../design/page.tsx'
import { fieldType } from '../field-types/field-types.ts'
import { text } from './messages.ts'
import { groupByFieldset, type FieldNode } from './field-tree.ts'
import styles from './form.module.css'

interface Props {
  readonly nodes: readonly FieldNode[]
  readonly children: (field: TrackerField) => ReactNode
}

/** The form of a tracker: fieldsets, columns in them, and fields in columns. */
export function ArtifactForm({ nodes, children }: Props) {
  return groupByFieldset(nodes).map(({ heading, nodes: inside }) => (
    <Panel key={heading?.field_id ?? inside[0]?.field.field_id} title={heading?.label ?? text('artifact.fields')}>
      <Row nodes={inside}>{children}</Row>
    </Panel>
  ))
}

/** Adjacent columns are shown side by side. */
function Row({ nodes, children }: Props) {
  const parts: FieldNode[][] = []
  for (const node of nodes) {
    const last = parts.at(-1)
    if (last?.[0] && isSideBySide(last[0]) === isSideBySide(node)) last.push(node)
    else parts.push([node])
  }
  return parts.map((part) =>
    part[0] && isSideBySide(part[0]) ? (
      <div key={part[0].field.field_id} className={styles['columns']}>
        {part.map(({ field, content }) => (
          <div key={field.field_id} className={styles['column']}>
            <Row nodes={content}>{children}</Row>
          </div>
        ))}
      </div>
    ) : (
      <div key={part[0]?.field.field_id} className={styles['fields']}>
        {part.map((node) => (
          <Element key={node.field.field_id} node={node}>
            {children}
          </Element>
        ))}
      </div>
    ),
  )
}

function isSideBySide({ field }: FieldNode): boolean {
  return fieldType(field).isSideBySide === true
}

function Element({ node: { field, content }, children }: { node: FieldNode; children: Props['children'] }) {
  const type = fieldType(field)
  if (type.kind === 'container') return <Row nodes={content}>{children}</Row>
  return type.kind === 'static' ? type.showStatic?.(field) : children(field)
}

import type { ReactNode } from 'react'
import type { TrackerField } from '@waypost/sdk/api'
import { Panel } from '../design/page.tsx'
import { text } from './words.ts'
import { groupsOf, type Node } from './field-tree.ts'
import styles from './form.module.css'
import { textIn } from './loose.ts'
import { RichText } from './rich-text.tsx'

interface Props {
  readonly nodes: readonly Node[]
  readonly children: (field: TrackerField) => ReactNode
}

/** The form that the tracker defines: fieldsets, columns in them, and fields in these. */
export function Form({ nodes, children }: Props) {
  return groupsOf(nodes).map(({ heading, nodes: inside }) => (
    <Panel key={heading?.field_id ?? inside[0]?.field.field_id} title={heading?.label ?? text('artifact.fields')}>
      <Row nodes={inside}>{children}</Row>
    </Panel>
  ))
}

/** Columns that follow each other stand beside each other. */
function Row({ nodes, children }: Props) {
  const parts: Node[][] = []
  for (const node of nodes) {
    const last = parts.at(-1)
    const isColumn = node.field.type === 'column'
    if (last && (last[0]?.field.type === 'column') === isColumn) last.push(node)
    else parts.push([node])
  }
  return parts.map((part) =>
    part[0]?.field.type === 'column' ? (
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

function Element({ node: { field, content }, children }: { node: Node; children: Props['children'] }) {
  switch (field.type) {
    case 'fieldset':
    case 'column':
      return <Row nodes={content}>{children}</Row>
    case 'linebreak':
      return null
    case 'separator':
      return <hr className={styles['separator']} />
    case 'staticrichtext':
      return <RichText html={textIn(field.default_value)} />
    default:
      return children(field)
  }
}

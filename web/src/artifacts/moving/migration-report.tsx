import { Check, CircleSlash2, TriangleAlert } from 'lucide-react'
import { Icon } from '../../design/icon.tsx'
import { text } from '../messages.ts'
import styles from './moving.module.css'
import type { MigrationPreview } from './moving-queries.ts'

/** The fields that are kept and lost, before anything is written. */
export function MigrationReport({ preview }: { readonly preview: MigrationPreview }) {
  const parts = [
    { icon: CircleSlash2, title: 'moving.lost', labels: preview.lost },
    { icon: TriangleAlert, title: 'moving.partly', labels: preview.partly },
    { icon: Check, title: 'moving.kept', labels: preview.kept },
  ] as const
  return (
    <dl className={styles['report']}>
      {parts
        .filter(({ labels }) => labels.length > 0)
        .map(({ icon, title, labels }) => (
          <div key={title} data-part={title}>
            <dt>
              <Icon of={icon} size={14} />
              {text(title)}
            </dt>
            <dd>{labels.join(', ')}</dd>
          </div>
        ))}
    </dl>
  )
}

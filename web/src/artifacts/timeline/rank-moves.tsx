import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api.ts'
import { RelativeTime } from '../../design/relative-time.tsx'
import { ArtifactLink } from '../artifact-link.tsx'
import { namedArtifactsQuery } from '../link-queries.ts'
import { text } from '../messages.ts'
import styles from './rank-moves.module.css'

/** The moves of an artifact in the order by hand; nothing if its tracker does not record them. */
export function RankMoves({ id }: { readonly id: number }) {
  const { data: moves = [] } = useQuery({
    queryKey: ['artifacts', id, 'rank_changes'],
    queryFn: () => read(api.call('GET /artifacts/{id}/rank_changes', { path: { id } })),
  })
  const { data: named } = useQuery(namedArtifactsQuery(moves.flatMap(({ artifact }) => artifact?.id ?? [])))
  if (moves.length === 0) return null
  return (
    <section className={styles['moves']} aria-labelledby={`rank-moves-${id}`}>
      <h3 id={`rank-moves-${id}`}>{text('moves.title')}</h3>
      <ol>
        {moves.map(({ id: move, by, on, side, artifact }) => (
          <li key={move}>
            {text(`moves.${side}`, { who: by?.username ?? text('moves.other_person') })}{' '}
            {artifact ? (
              <ArtifactLink id={artifact.id} dir="auto">
                {[named?.get(artifact.id)?.xref ?? `#${artifact.id}`, named?.get(artifact.id)?.title].join(' ').trim()}
              </ArtifactLink>
            ) : (
              text('moves.hidden')
            )}{' '}
            <RelativeTime at={on} />
          </li>
        ))}
      </ol>
    </section>
  )
}

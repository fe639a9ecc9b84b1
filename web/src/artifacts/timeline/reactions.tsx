import type { CommentReaction } from '@waypost/sdk/api'
import { Button } from '../../design/button.tsx'
import { text } from '../messages.ts'
import styles from './comment-card.module.css'
import { type CommentTarget, toggleReaction } from './comment-queries.ts'

const SIGNS: ReadonlyMap<CommentReaction['name'], string> = new Map([
  ['thumbs_up', '👍'],
  ['thumbs_down', '👎'],
  ['heart', '❤️'],
  ['laugh', '😄'],
  ['celebrate', '🎉'],
  ['eyes', '👀'],
])

interface Props {
  readonly address: CommentTarget
  readonly reactions: readonly CommentReaction[]
  /** The viewer has no account. */
  readonly isReadOnly: boolean
}

/** The reactions that were given, with their numbers; a press adds or takes back that of the viewer. */
export function Reactions({ address, reactions, isReadOnly }: Props) {
  return (
    <div className={styles['reactions']}>
      {reactions.map(({ name, count, is_mine: isMine }) => (
        <Button
          key={name}
          aria-pressed={isMine}
          isDisabled={isReadOnly}
          aria-label={text('comment.reactions', { name: text(`reaction.${name}`), count })}
          onPress={() => void toggleReaction(address, name, isMine)}
        >
          <span aria-hidden>{SIGNS.get(name)}</span>
          {count}
        </Button>
      ))}
    </div>
  )
}

interface ChoiceProps {
  readonly address: CommentTarget
  readonly given: readonly CommentReaction[]
  readonly onClose: () => void
}

/** All reactions, to choose one. */
export function ReactionChoice({ address, given, onClose }: ChoiceProps) {
  const isMine = (name: CommentReaction['name']) => given.some((each) => each.name === name && each.is_mine)
  return (
    <div className={styles['reactions']} role="group" aria-label={text('comment.react')}>
      {[...SIGNS].map(([name, sign], at) => (
        <Button
          key={name}
          autoFocus={at === 0}
          aria-pressed={isMine(name)}
          aria-label={text(`reaction.${name}`)}
          onPress={() => {
            onClose()
            void toggleReaction(address, name, isMine(name))
          }}
        >
          <span aria-hidden>{sign}</span>
        </Button>
      ))}
    </div>
  )
}

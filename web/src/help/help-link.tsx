import { Link } from '@tanstack/react-router'
import { CircleQuestionMark } from 'lucide-react'
import { buttonClass } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Hidden } from '../design/page.tsx'
import { text } from '../messages/text.ts'
import type { HelpTopicName } from './help-topic.ts'

/** The way from a screen to the help about it. */
export function HelpLink({ topic }: { readonly topic: HelpTopicName }) {
  return (
    <Link to="/help/$topic" params={{ topic }} className={buttonClass('icon')} title={text('nav.help')}>
      <Icon of={CircleQuestionMark} />
      <Hidden>{text('nav.help')}</Hidden>
    </Link>
  )
}

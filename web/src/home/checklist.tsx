import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useSession } from '../accounts/session.ts'
import { Button, buttonClass } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Hidden, Panel } from '../design/page.tsx'
import { text } from '../projects/messages.ts'
import { myProjectsQuery } from '../projects/projects-queries.ts'
import { showToast } from '../design/toasts.ts'
import { type FirstSteps, firstStepsQuery, setChecklistOver } from './checklist-query.ts'
import styles from './checklist.module.css'
import { ProgressBar } from '../design/progress-bar.tsx'

const STEPS = ['project', 'people', 'tracker', 'artifact'] as const satisfies readonly (keyof FirstSteps['done'])[]

/** From an empty site to a first artifact: what is done, and the next step. */
export function Checklist() {
  const { data: session } = useSession()
  const { data: mine } = useQuery(myProjectsQuery)
  const { data: steps } = useQuery(firstStepsQuery)
  const count = steps ? STEPS.filter((step) => steps.done[step]).length : 0
  const isDone = count === STEPS.length
  useEffect(() => {
    if (isDone) void setChecklistOver(true)
  }, [isDone])
  // Members of a project do not need one of their own.
  const isForViewer = session?.user.is_site_admin === true || steps?.done.project === true || mine?.length === 0
  if (!steps || isDone || !isForViewer) return null
  const next = STEPS.find((step) => !steps.done[step])
  const dismiss = async () => {
    await setChecklistOver(true)
    showToast(text('checklist.dismissed'), { undo: () => void setChecklistOver(false) })
  }
  return (
    <Panel
      title={text('checklist.title')}
      actions={
        <Button kind="icon" aria-label={text('checklist.dismiss')} onPress={() => void dismiss()}>
          <Icon of={X} />
        </Button>
      }
      isList
    >
      <div className={styles['progress']}>
        <ProgressBar value={count} max={STEPS.length} label={text('checklist.title')} />
        <span>{text('checklist.count', { count, total: STEPS.length })}</span>
      </div>
      <ol className={styles['steps']}>
        {STEPS.map((step, at) => (
          <li key={step} data-state={steps.done[step] ? 'done' : step === next ? 'next' : 'later'}>
            <span className={styles['mark']}>{steps.done[step] ? <Icon of={Check} size={14} /> : at + 1}</span>
            <div>
              <strong>{text(`checklist.${step}`)}</strong>
              {steps.done[step] && <Hidden>{text('checklist.is_done')}</Hidden>}
              {!steps.done[step] && <p>{text(`checklist.${step}.lead`)}</p>}
            </div>
            {step === next && <NextStep step={step} steps={steps} />}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** The link to the page of a step. */
function NextStep({ step, steps }: { readonly step: (typeof STEPS)[number]; readonly steps: FirstSteps }): ReactNode {
  const { shortname, tracker } = steps
  const label = text(`checklist.${step}.do`)
  const className = buttonClass('primary')
  if (shortname === undefined)
    return (
      <Link to="/projects/new" className={className}>
        {label}
      </Link>
    )
  if (step === 'people')
    return (
      <Link to="/projects/$shortname/settings/members" params={{ shortname }} className={className}>
        {label}
      </Link>
    )
  if (step === 'artifact' && tracker !== undefined)
    return (
      <Link to="/trackers/$tracker/new" params={{ tracker: String(tracker) }} className={className}>
        {label}
      </Link>
    )
  return (
    <Link to="/projects/$shortname/trackers/new" params={{ shortname }} search={{}} className={className}>
      {label}
    </Link>
  )
}

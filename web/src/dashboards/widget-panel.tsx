import { Link } from '@tanstack/react-router'
import type { Widget } from '@waypost/sdk/api'
import { ArrowDown, ArrowUp, ChevronRight, EyeOff, Trash2 } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { RichText } from '../artifacts/rich-text.tsx'
import { Button, buttonClass } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Empty, Hidden, Panel } from '../design/page.tsx'
import { ChartWidget } from './chart-widget.tsx'
import { CountWidget } from './count-widget.tsx'
import styles from './dashboard.module.css'
import { text } from './messages.ts'
import { RowsWidget } from './report-widgets.tsx'

export interface WidgetActions {
  readonly isBusy: boolean
  /** Undefined for the first widget. */
  readonly onEarlier: (() => void) | undefined
  /** Undefined for the last widget. */
  readonly onLater: (() => void) | undefined
  readonly onRemove: () => void
}

interface Props {
  readonly widget: Widget
  /** Undefined: the widgets are not being arranged. */
  readonly actions: WidgetActions | undefined
}

/** The heading of a widget: its own, or that of its report. */
export function titleOfWidget({ type, title, report }: Widget): string {
  return title ?? report?.label ?? text(type === 'note' ? 'dashboard.type.note' : 'dashboard.hidden')
}

/** A widget with its heading, and the buttons to arrange it. */
export function WidgetPanel({ widget, actions }: Props) {
  const { type, report } = widget
  const title = titleOfWidget(widget)
  const isList = type === 'report' && report !== null
  return (
    <Panel
      title={title}
      isList={isList}
      actions={
        <span className={styles['actions']}>
          {actions && <ArrangeButtons title={title} actions={actions} />}
          {!actions && report && (
            <Link
              to="/trackers/$id"
              params={{ id: String(report.tracker.id) }}
              search={{ report: report.id }}
              className={buttonClass('icon')}
              title={text('dashboard.open_report', { title })}
            >
              <Icon of={ChevronRight} />
              <Hidden>{text('dashboard.open_report', { title })}</Hidden>
            </Link>
          )}
        </span>
      }
    >
      <WidgetContent widget={widget} label={title} />
    </Panel>
  )
}

function WidgetContent({ widget, label }: { readonly widget: Widget; readonly label: string }) {
  const { type, report, by, span, html } = widget
  if (type === 'note') return <RichText html={html ?? ''} />
  if (!report) return <Empty icon={EyeOff}>{text('dashboard.no_report')}</Empty>
  if (type === 'count') return <CountWidget report={report} />
  if (type === 'report') return <RowsWidget report={report} />
  return <ChartWidget label={label} report={report} by={by ?? '@status'} span={span} />
}

function ArrangeButtons({ title, actions }: { readonly title: string; readonly actions: WidgetActions }) {
  const { isBusy, onEarlier, onLater, onRemove } = actions
  const button = (action: 'earlier' | 'later' | 'remove', icon: LucideIcon, onPress: (() => void) | undefined) => (
    <Button
      kind="icon"
      data-arrange={action}
      isBusy={isBusy}
      isDisabled={onPress === undefined}
      aria-label={text(`dashboard.${action}`, { title })}
      onPress={() => onPress?.()}
    >
      <Icon of={icon} />
    </Button>
  )
  return (
    <>
      {button('earlier', ArrowUp, onEarlier)}
      {button('later', ArrowDown, onLater)}
      {button('remove', Trash2, onRemove)}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useBlocker, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { failureOf } from '../api.ts'
import { Button, buttonClass } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Loading, PageLayout } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { SettingsHeader } from '../shell/settings-header.tsx'
import tabs from '../design/tabs.module.css'
import { trackerQuery } from '../trackers/tracker-query.ts'
import { text } from './messages.ts'
import styles from './administration.module.css'
import { definitionQuery, groupsQuery } from './definition-query.ts'
import { type DefinitionChange, DraftContext } from './draft.ts'
import { PlanDialog } from './plan-dialog.tsx'
import { ProjectLink, TrackerLink } from '../trackers/place-links.tsx'

const TABS = [
  { to: '/trackers/$tracker/administration/general', label: 'administration.general' },
  { to: '/trackers/$tracker/administration/elements', label: 'administration.elements' },
  { to: '/trackers/$tracker/administration/permissions', label: 'administration.permissions' },
  { to: '/trackers/$tracker/administration/workflow', label: 'administration.workflow' },
  { to: '/trackers/$tracker/administration/rules', label: 'administration.rules' },
  { to: '/trackers/$tracker/administration/semantics', label: 'administration.semantics' },
  { to: '/trackers/$tracker/administration/webhooks', label: 'administration.webhooks' },
  { to: '/trackers/$tracker/administration/trash', label: 'administration.trash' },
] as const

/** The administration screens of a tracker. Their changes form one plan. */
export function TrackerAdministration() {
  const { tracker: given } = useParams({ from: '/shell/own/trackers/$tracker/administration' })
  // Each tracker has its own draft.
  return <Administration key={given} id={Number(given)} address={given} />
}

function Administration({ id, address }: { id: number; address: string }) {
  const [changes, setChanges] = useState<readonly DefinitionChange[]>([])
  const [isPlanned, setPlanned] = useState(false)
  const tracker = useQuery(trackerQuery(id))
  // A refused request would be logged in the audit log.
  const mayAdminister = tracker.data && tracker.data.permissions_for_groups !== null
  const stored = useQuery({ ...definitionQuery(id), enabled: mayAdminister === true })
  const projectId = tracker.data?.project.id
  const groups = useQuery({ ...groupsQuery(projectId ?? 0), enabled: projectId !== undefined })
  const leaving = useBlocker({
    shouldBlockFn: ({ next }) =>
      changes.length > 0 && !next.pathname.startsWith(`/trackers/${address}/administration/`),
    enableBeforeUnload: () => changes.length > 0,
    withResolver: true,
  })
  const draft = useMemo(() => {
    if (!tracker.data || !stored.data || !groups.data) return null
    const before = stored.data.definition
    return {
      tracker: tracker.data,
      stored: before,
      definition: changes.reduce((definition, { apply }) => apply(definition), before),
      groups: groups.data,
      change: (label: string, apply: DefinitionChange['apply']) => setChanges((made) => [...made, { label, apply }]),
    }
  }, [tracker.data, stored.data, groups.data, changes])

  if (mayAdminister === false)
    return (
      <PageLayout
        title={text('administration.title')}
        lead={text('administration.not_yours')}
        above={tracker.data?.label}
      >
        <Link to="/trackers/$id" params={{ id: address }} search={{}} className={buttonClass()}>
          {text('administration.to_tracker')}
        </Link>
      </PageLayout>
    )
  const error = tracker.error ?? stored.error ?? groups.error
  const status = failureOf(error)?.status
  if (!draft && error)
    return (
      <PageLayout
        title={text(status === 404 || status === 400 ? 'table.absent' : 'administration.title')}
        lead={status === 404 || status === 400 ? text('table.absent.lead') : undefined}
      >
        {status !== 404 && status !== 400 && (
          <RefusalNotice
            error={error}
            onRetry={() => void Promise.all([tracker.refetch(), stored.refetch(), groups.refetch()])}
          />
        )}
      </PageLayout>
    )
  const last = changes.at(-1)
  return (
    <>
      <SettingsHeader
        parents={
          tracker.data
            ? [
                { key: 'project', link: <ProjectLink project={tracker.data.project} /> },
                { key: 'tracker', link: <TrackerLink tracker={tracker.data} /> },
              ]
            : []
        }
        title={text('administration.settings')}
      >
        {TABS.map(({ to, label }) => (
          <Link key={to} to={to} params={{ tracker: address }}>
            {text(label)}
          </Link>
        ))}
      </SettingsHeader>
      <div className={tabs['content']}>
        {draft ? (
          <DraftContext value={draft}>
            <Outlet />
          </DraftContext>
        ) : (
          <PageLayout title={text('administration.title')}>
            <Loading />
          </PageLayout>
        )}
      </div>
      <div role="status" className={styles['unseen']}>
        {last && text('administration.noted', { change: last.label })}
      </div>
      {draft && last && (
        <div className={styles['planned']} role="region" aria-label={text('administration.unapplied')}>
          <span>
            <strong>{text('administration.changes', { count: changes.length })}</strong> {last.label}
          </span>
          <Button onPress={() => setChanges(changes.slice(0, -1))}>{text('administration.undo_last')}</Button>
          <Button onPress={() => setChanges([])}>{text('administration.discard')}</Button>
          <Button kind="primary" onPress={() => setPlanned(true)}>
            {text('administration.preview')}
          </Button>
        </div>
      )}
      {isPlanned && draft && stored.data && (
        <PlanDialog
          tracker={id}
          stored={stored.data}
          wanted={draft.definition}
          groups={draft.groups}
          onReload={() => void stored.refetch()}
          onApplied={() => {
            setPlanned(false)
            setChanges([])
          }}
          onClose={() => setPlanned(false)}
        />
      )}
      {leaving.status === 'blocked' && (
        <Dialog title={text('administration.leave')} isQuestion onClose={leaving.reset}>
          <p>{text('administration.leave.lead')}</p>
          <DialogActions>
            <Button onPress={leaving.reset} autoFocus>
              {text('administration.stay')}
            </Button>
            <Button kind="danger" onPress={leaving.proceed}>
              {text('administration.leave.really')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

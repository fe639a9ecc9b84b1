-- claimDeliveries
-- A worker leases due deliveries.
-- Written by `npm run sql`.

begin;

select pg_try_advisory_xact_lock(hashtextextended ($1, 0)) as is_ours;

with
  due as materialized (
    select first.id, first.due_on, webhook.failures >= $1 as is_failing
    from
      webhook
      join project on project.id = webhook.project_id
      cross join lateral (
        select count(*) as flying
        from webhook_delivery taken
        where taken.webhook_id = webhook.id and taken.taken_until > $2
      ) busy
      cross join lateral (
        select delivery.id, delivery.due_on
        from webhook_delivery delivery
        where
          delivery.webhook_id = webhook.id
          and delivery.state in ('waiting', 'retrying')
          and delivery.due_on <= $3
          and (delivery.taken_until is null or delivery.taken_until <= $4)
          and (
            delivery.kind = 'ping'
            or delivery.kind = 'redelivered'
            and webhook.state_reason is distinct from 'owner_lost_rights'
            or webhook.active
            and (webhook.held_until is null or webhook.held_until <= $5)
          )
          and (
            delivery.kind = 'ping'
            or not exists (
              select
              from webhook_delivery earlier
              where
                earlier.webhook_id = delivery.webhook_id
                and earlier.object = delivery.object
                and earlier.id < delivery.id
                and not earlier.tried
                and earlier.state = 'waiting'
            )
          )
          and (
            delivery.kind = 'ping'
            or not webhook.ordered
            or not exists (
              select
              from webhook_delivery earlier
              where
                earlier.webhook_id = delivery.webhook_id
                and earlier.id < delivery.id
                and earlier.kind <> 'ping'
                and earlier.state in ('waiting', 'retrying')
            )
          )
        order by delivery.id
        limit greatest(0, case when webhook.failures >= $6 then 1 else $7::integer end - busy.flying)
      ) first
    where
      (project.status <> 'deleted')
      and exists (
        select
        from webhook_delivery any_open
        where any_open.webhook_id = webhook.id and any_open.state in ('waiting', 'retrying')
      )
  ),
  ranked as (
    select
      due.id, due.is_failing,
      row_number() over (partition by due.is_failing order by due.due_on, due.id) as rank
    from due
  ),
  chosen as (
    select ranked.id
    from ranked
    where ranked.rank <= case when ranked.is_failing then $8::bigint else $9::bigint end
    order by ranked.is_failing, ranked.rank
    limit $10
  ),
  taken as (
    update webhook_delivery
    set taken_until = $11, attempts = attempts + 1
    from chosen
    where webhook_delivery.id = chosen.id
    returning webhook_delivery.*
  )
select
  taken.id, taken.webhook_id, taken.kind, taken.event, taken.event_id, taken.xid::text as xid, taken.number,
  taken."on", taken.attempts, webhook.project_id, webhook.tracker_id, webhook.events, webhook.url,
  webhook.format, webhook.payload, webhook.as_user,
  coalesce(webhook.owner_id, webhook.created_by) as owner_id, webhook.secret, webhook.old_secret,
  webhook.old_secret_until, webhook.failures
from taken join webhook on webhook.id = taken.webhook_id
order by taken.id;

commit;

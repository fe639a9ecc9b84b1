-- claimRuns
-- A worker leases due deliveries.
-- Written by `npm run sql`.

begin;

select pg_try_advisory_xact_lock(hashtextextended ($1, 0)) as is_ours;

with
  due as materialized (
    select
      webhook.id as webhook_id, first.id, first.due_on, allowed.requests,
      allowed.length > allowed.requests as is_run, webhook.failures >= $1 as is_failing,
      row_number() over (partition by webhook.id order by first.id) as place
    from
      webhook
      join project on project.id = webhook.project_id
      cross join lateral (
        select count(*) as flying, max(taken.taken_until) as last
        from webhook_delivery taken
        where taken.webhook_id = webhook.id and taken.taken_until > $2
      ) busy
      cross join lateral (
        select
          beginning.requests,
          case
            when webhook.failures > 0
            or busy.flying > 0 then beginning.requests
            else coalesce(
              (
                select known.length
                from unnest($3::bigint[], $4::integer[]) as known (id, length)
                where known.id = webhook.id
              ), $5::integer
            )
          end as length
        from
          (
            select
              case
                when webhook.failures >= $6 then 1 - busy.flying
                when busy.last > $7 then 0
                when webhook.ordered
                and busy.flying = 0 then 1
                else $8::integer - busy.flying
              end as requests
          ) beginning
      ) allowed
      cross join lateral (
        select delivery.id, delivery.due_on
        from webhook_delivery delivery
        where
          delivery.webhook_id = webhook.id
          and delivery.state in ('waiting', 'retrying')
          and (
            delivery.due_on <= $9
            and (delivery.taken_until is null or delivery.taken_until <= $10)
            and (
              delivery.kind = 'ping'
              or delivery.kind = 'redelivered'
              and webhook.state_reason is distinct from 'owner_lost_rights'
              or webhook.active
              and (webhook.held_until is null or webhook.held_until <= $11)
            )
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
                and not (
                  earlier.due_on <= $12
                  and (earlier.taken_until is null or earlier.taken_until <= $13)
                  and (
                    earlier.kind = 'ping'
                    or earlier.kind = 'redelivered'
                    and webhook.state_reason is distinct from 'owner_lost_rights'
                    or webhook.active
                    and (webhook.held_until is null or webhook.held_until <= $14)
                  )
                )
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
                and not (
                  earlier.due_on <= $15
                  and (earlier.taken_until is null or earlier.taken_until <= $16)
                  and (
                    earlier.kind = 'ping'
                    or earlier.kind = 'redelivered'
                    and webhook.state_reason is distinct from 'owner_lost_rights'
                    or webhook.active
                    and (webhook.held_until is null or webhook.held_until <= $17)
                  )
                )
            )
          )
        order by delivery.id
        limit greatest(0, allowed.length)
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
    select due.*, row_number() over (partition by due.is_failing order by due.due_on, due.id) as rank
    from due
    where due.place <= due.requests
  ),
  begun as (
    select ranked.webhook_id
    from ranked
    where ranked.rank <= case when ranked.is_failing then $18::bigint else $19::bigint end
    order by ranked.is_failing, ranked.rank
    limit $20
  ), chosen as (select begun.webhook_id, count(*) as concurrency from begun group by begun.webhook_id),
  taken as (
    update webhook_delivery
    set taken_until = $21, attempts = attempts + 1
    from due join chosen on chosen.webhook_id = due.webhook_id
    where webhook_delivery.id = due.id and (due.is_run or due.place <= chosen.concurrency)
    returning webhook_delivery.*, chosen.concurrency
  )
select
  taken.id, taken.webhook_id, taken.kind, taken.event, taken.event_id, taken.xid::text as xid, taken.number,
  taken.object, taken."on", taken.attempts, taken.concurrency, webhook.project_id, webhook.tracker_id,
  webhook.events, webhook.url, webhook.format, webhook.payload, webhook.as_user,
  coalesce(webhook.owner_id, webhook.created_by) as owner_id, webhook.secret, webhook.old_secret,
  webhook.old_secret_until, webhook.failures, webhook.version
from taken join webhook on webhook.id = taken.webhook_id
order by taken.id;

commit;

-- The account that answers for a webhook: it created the hook, or was the last to change its url, as_user or secret.
-- With as_user null the hook reads links, sums and people with the permissions of its owner.
alter table webhook
  add column owner_id bigint references account,
  -- Why the platform or the receiver stopped it.
  add column state_reason text check (state_reason in ('owner_lost_rights', 'receiver_failing', 'receiver_gone'));

update webhook set owner_id = created_by;
update webhook set state_reason = 'receiver_failing' where state = 'paused';
update webhook set active = false, state = 'paused', state_reason = 'owner_lost_rights', version = version + 1
  where owner_id is null;

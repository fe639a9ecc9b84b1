create index user_group_bound on user_group (bound_to) where bound_to is not null;

-- Whether somebody is in a group of a project, for the few statements that ask about others than the viewer: a function,
-- so that a statement which never comes to ask does not carry the question.
create function account_in_group(account bigint, project bigint, number bigint) returns boolean
stable parallel safe language plpgsql as $$
begin
  if number > 100 then
    return exists (select from user_group
      join user_group_member on user_group_member.user_group_id = coalesce(user_group.bound_to, user_group.id)
      where user_group.id = number and user_group_member.account_id = account);
  end if;
  return exists (select from project_member
    where project_member.project_id = project and project_member.account_id = account
      and case number when 3 then true when 4 then is_admin when 19 then is_svn_admin else false end);
end $$;

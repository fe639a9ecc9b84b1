-- Whether an artifact is assigned to somebody of a group; `field` says who is assigned.
create function assigned_in_group(artifact bigint, field bigint, project bigint, number bigint) returns boolean
stable parallel safe language plpgsql as $$
begin
  return exists (select from value_index
    where value_index.artifact_id = artifact and value_index.field_id = field
      and account_in_group(value_index.value, project, number));
end $$;

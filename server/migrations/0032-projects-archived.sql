-- An archived project is readable, takes no writes and is absent from the plain list, whose index and counts name
-- active projects only.
alter table project drop constraint project_status_check;
alter table project add constraint project_status_check
  check (status in ('active', 'archived', 'pending', 'suspended', 'deleted', 'system'));
create index project_archived on project (id) where status = 'archived';

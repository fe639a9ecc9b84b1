-- Nothing has read these settings so far. Copying has always been allowed and stays so; incoming mail does not exist.
update tracker set structure = jsonb_set(structure #- '{settings,email_gateway}', '{settings,allow_copy}', 'true')
where structure ? 'settings';

-- The version of the order of artifacts in a tracker. Absent: no artifact was ever moved. Its row lock serializes moves.
create table tracker_rank (
  tracker_id bigint primary key,
  project_id bigint not null,
  version    integer not null default 0,
  foreign key (project_id, tracker_id) references tracker (project_id, id)
);

-- Projects, trackers and artifacts that an account has marked as favourites; of the three ids exactly one is set.
create table favourite (
  account_id  bigint not null references account,
  project_id  bigint references project on delete cascade,
  tracker_id  bigint references tracker on delete cascade,
  artifact_id bigint references artifact (id) on delete cascade,
  added_on    timestamptz not null,
  check (num_nonnulls(project_id, tracker_id, artifact_id) = 1),
  unique nulls not distinct (account_id, project_id, tracker_id, artifact_id)
);
-- For the cascades.
create index favourite_of_project on favourite (project_id) where project_id is not null;
create index favourite_of_tracker on favourite (tracker_id) where tracker_id is not null;
create index favourite_of_artifact on favourite (artifact_id) where artifact_id is not null;

-- What an account has opened; each write keeps only the newest rows of the account.
create table recently_seen (
  account_id  bigint not null references account,
  project_id  bigint references project on delete cascade,
  tracker_id  bigint references tracker on delete cascade,
  artifact_id bigint references artifact (id) on delete cascade,
  seen_on     timestamptz not null,
  check (num_nonnulls(project_id, tracker_id, artifact_id) = 1),
  unique nulls not distinct (account_id, project_id, tracker_id, artifact_id)
);
create index recently_seen_of_project on recently_seen (project_id) where project_id is not null;
create index recently_seen_of_tracker on recently_seen (tracker_id) where tracker_id is not null;
create index recently_seen_of_artifact on recently_seen (artifact_id) where artifact_id is not null;

-- Which artifact a file belongs to, in which field. It stays when a later version has it no more.
create table artifact_file (
  file_id     bigint primary key references file,
  project_id  bigint not null,
  artifact_id bigint not null,
  field_id    bigint not null,
  foreign key (project_id, artifact_id) references artifact (project_id, id) on update cascade
);
create index artifact_file_of on artifact_file (artifact_id);
create index artifact_file_in on artifact_file (project_id);

-- The files that an archive holds, for as long as it does.
create table archive_file (
  archive_id bigint not null references artifact_archive,
  file_id    bigint not null references file,
  primary key (archive_id, file_id)
);
create index archive_file_of on archive_file (file_id);

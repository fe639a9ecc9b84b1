-- Texts of comments that were replaced. The changeset holds the present one, or none if the comment was deleted, so that
-- everything that reads comments, also a server of the version before, reads the present text.
create table comment_version (
  project_id   bigint not null,
  artifact_id  bigint not null,
  changeset_id bigint not null references changeset on delete cascade,
  -- The number of the text that was replaced, from 1.
  version      integer not null,
  body         text not null,
  format       text not null check (format in ('text', 'html', 'commonmark')),
  replaced_by  bigint references account,
  replaced_on  timestamptz not null,
  primary key (changeset_id, version),
  foreign key (project_id, artifact_id) references artifact (project_id, id) on update cascade on delete cascade
);
create index comment_version_of_artifact on comment_version (artifact_id);

create table comment_reaction (
  project_id   bigint not null,
  artifact_id  bigint not null,
  changeset_id bigint not null references changeset on delete cascade,
  account_id   bigint not null references account,
  reaction     text not null,
  reacted_on   timestamptz not null,
  primary key (changeset_id, account_id, reaction),
  foreign key (project_id, artifact_id) references artifact (project_id, id) on update cascade on delete cascade
);
create index comment_reaction_of_artifact on comment_reaction (artifact_id);
create index comment_reaction_of_account on comment_reaction (account_id);

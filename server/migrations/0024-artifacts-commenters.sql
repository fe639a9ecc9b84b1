-- What somebody has said, for who asks for all that is kept about him: without it, every comment would be looked at.
create index changeset_commenter on changeset (submitted_by, id) where comment is not null;

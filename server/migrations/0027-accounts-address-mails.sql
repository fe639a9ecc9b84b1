-- Mails to unconfirmed addresses: limits how many mails other people can cause to an address that is not theirs.
create table address_mail (
  -- A keyed hash of the folded address, so that the table contains no addresses.
  digest bytea not null check (length(digest) = 32),
  -- The job that sends it: a retry is the same mail.
  job_id bigint not null unique,
  "on"   timestamptz not null
);
create index address_mail_of_digest on address_mail (digest, "on");

-- New installations limit the files of one project to 10 GiB. One that has files keeps what it had: no limit.
update setting set version = version + 1, chosen = chosen || '{"project_disk_quota": null}'
where not chosen ? 'project_disk_quota' and exists (select from file);

-- The data of the bench tracker, as far as Redmine supports them: 100,000 issues (:size), 2,000 people, custom fields
-- with values, journals. `:key` is the access key of a member.
begin;

insert into users (login, hashed_password, firstname, lastname, admin, status, language, type, created_on, updated_on, salt,
                   must_change_passwd, mail_notification)
select 'person' || n, '', 'Person', n::text, false, 1, 'en', 'User', now(), now(), '', false, 'none'
from generate_series(1, 2000) n;
insert into email_addresses (user_id, address, is_default, notify, created_on, updated_on)
select id, login || '@example.org', true, false, now(), now() from users where login like 'person%';
insert into tokens (user_id, action, value, created_on, updated_on)
select id, 'api', :'key', now(), now() from users where login = 'person1';

insert into projects (name, description, is_public, identifier, status, lft, rgt, inherit_members, created_on, updated_on)
values ('bench', '', false, 'bench', 1, 1, 2, false, now(), now());
insert into projects_trackers (project_id, tracker_id) select projects.id, trackers.id from projects, trackers;
insert into enabled_modules (project_id, name) select id, 'issue_tracking' from projects;
insert into members (user_id, project_id, created_on, mail_notification)
select users.id, projects.id, now(), false from users, projects where login like 'person%';
insert into member_roles (member_id, role_id) select members.id, (select id from roles where name = 'Developer') from members;

insert into custom_fields (type, name, field_format, possible_values, is_required, is_for_all, is_filter, position, searchable,
                           editable, visible, multiple, format_store, default_value)
values ('IssueCustomField', 'Component', 'list', E'---\n- needle\n' || (select string_agg('- component-' || n || E'\n', '') from generate_series(1, 40) n), false, true, true, 1, false, true, true, true, E'--- {}\n', ''),
       ('IssueCustomField', 'Severity', 'list', E'---\n- trivial\n- minor\n- normal\n- major\n- critical\n', false, true, true, 2, false, true, true, false, E'--- {}\n', ''),
       ('IssueCustomField', 'Kind', 'list', E'---\n- bug\n- chore\n- idea\n- task\n', false, true, true, 3, false, true, true, true, E'--- {}\n', ''),
       ('IssueCustomField', 'Points', 'int', null, false, true, true, 4, false, true, true, false, E'--- {}\n', ''),
       ('IssueCustomField', 'Hours', 'float', null, false, true, true, 5, false, true, true, false, E'--- {}\n', ''),
       ('IssueCustomField', 'Checked', 'date', null, false, true, true, 6, false, true, true, false, E'--- {}\n', ''),
       ('IssueCustomField', 'Reviewer', 'user', null, false, true, true, 7, false, true, true, false, E'--- {}\n', ''),
       ('IssueCustomField', 'Serial', 'int', null, false, true, true, 8, false, true, true, false, E'--- {}\n', '');
insert into custom_fields_trackers (custom_field_id, tracker_id) select custom_fields.id, trackers.id from custom_fields, trackers;

insert into issues (id, tracker_id, project_id, subject, description, status_id, assigned_to_id, priority_id, author_id,
                    start_date, due_date, done_ratio, created_on, updated_on, root_id, lft, rgt, is_private, lock_version)
select n, (select min(id) from trackers), (select id from projects where identifier = 'bench'),
       'A title of some sixty characters, which is that of item ' || n % 9000 + 1000,
       repeat('A paragraph of the details of an issue, which says little. ', 10),
       (select min(id) from issue_statuses) + n % 5,
       (select id from users where login = 'person1') + n % 2000,
       (select min(id) from enumerations where type = 'IssuePriority'), (select id from users where login = 'person1'),
       date '2021-01-01' + n % 1500, date '2021-01-31' + n % 1500, 0, now(), now(), n, 1, 2, false, 0
from generate_series(1, :size) n;
select setval('issues_id_seq', :size);

insert into custom_values (customized_type, customized_id, custom_field_id, value)
select 'Issue', n, field.id,
       case field.name
         when 'Component' then case when n % (:size / 1000) = 0 then 'needle' else 'component-' || n % 40 + 1 end
         when 'Severity' then (array['trivial', 'minor', 'normal', 'major', 'critical'])[n % 5 + 1]
         when 'Kind' then (array['bug', 'chore', 'idea', 'task'])[n % 4 + 1]
         when 'Points' then (n % 20)::text
         when 'Hours' then (n % 700 / 100.0)::text
         when 'Checked' then (date '2021-01-01' + n % 1500)::text
         when 'Reviewer' then ((select id from users where login = 'person1') + n % 2000)::text
         else (n * 7)::text
       end
from generate_series(1, :size) n, custom_fields field;

-- Five relations each, and a change with a comment.
insert into issue_relations (issue_from_id, issue_to_id, relation_type)
select n, (n + step * 7) % :size + 1, 'relates' from generate_series(1, :size) n, generate_series(1, 5) step
where n <> (n + step * 7) % :size + 1
on conflict do nothing;
insert into journals (journalized_id, journalized_type, user_id, notes, created_on, private_notes)
select n, 'Issue', (select id from users where login = 'person1'), 'Seen.', now(), false from generate_series(1, :size) n;

insert into settings (name, value, updated_on)
values ('rest_api_enabled', '1', now()), ('login_required', '1', now()), ('notified_events', E'--- []\n', now());
commit;
analyze;

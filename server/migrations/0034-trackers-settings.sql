-- Nothing has read these settings so far. Copying has always been allowed and stays so; incoming mail does not exist.
update tracker set structure = jsonb_set(structure #- '{settings,email_gateway}', '{settings,allow_copy}', 'true')
where structure ? 'settings';

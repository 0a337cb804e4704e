CREATE INDEX scim_users_words ON scim_users USING gin (marked(words_of(user_name) || words_of(display_name), account_id || '/' || (id >> 12)::text || '/')) WITH (gin_pending_list_limit = 128);
CREATE INDEX scim_groups_words ON scim_groups USING gin (marked(words_of(display_name), account_id || '/' || (id >> 12)::text || '/')) WITH (gin_pending_list_limit = 128);
CREATE INDEX scim_users_manager ON scim_users (account_id, (enterprise #>> '{manager,value}')) WHERE enterprise #>> '{manager,value}' IS NOT NULL;

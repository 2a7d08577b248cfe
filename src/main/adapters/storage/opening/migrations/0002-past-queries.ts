/**
 * A run has the times of its oldest and its newest page, where it had that of the newest alone; and the base URL that
 * was asked, where it had the origin; which headers were sent was not recorded. State and base URL are searched, too.
 * Of lists that were looked up, pages to which no stored page leads any more are deleted.
 */
export const pastQueries = `
UPDATE run SET search_text = char(10) || search_text || char(10) || (run_json ->> '$.state') || char(10)
  || lower(run_json ->> '$.walk.baseUrl') || char(10),
run_json = json_remove(
  json_set(
    run_json,
    '$.fetched', json((
      SELECT CASE WHEN count(*) = 0 THEN NULL ELSE json_object(
        'fromMs', min(page_json ->> 'fetchedAtMs'), 'toMs', max(page_json ->> 'fetchedAtMs')
      ) END FROM run_page WHERE run_ref = run.id
    )),
    '$.baseUrl', run_json ->> '$.walk.baseUrl',
    '$.headerNames', json('null')
  ),
  '$.fetchedAtMs', '$.origin', '$.walk.baseUrl'
);

WITH RECURSIVE
  page AS MATERIALIZED (
    SELECT key, endpoint_id, params_json ->> 'pageToken' AS token,
      CASE WHEN json_valid(body_text) THEN body_text ->> '$.nextPageToken' END AS next_token
    FROM answer
  ),
  reached (key, endpoint_id, next_token) AS (
    SELECT key, endpoint_id, next_token FROM page WHERE token IS NULL
    UNION
    SELECT page.key, page.endpoint_id, page.next_token FROM page JOIN reached
      ON page.endpoint_id = reached.endpoint_id AND page.token = reached.next_token
  )
DELETE FROM answer WHERE key NOT IN (SELECT key FROM reached);
`;

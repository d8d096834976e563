-- A page of changes, as before. Each version is looked up by its number: a join may be planned so that it reads all
-- versions before the page.
CREATE OR REPLACE FUNCTION memdir.changes(since bigint, most int, mark uuid DEFAULT NULL) RETURNS json
LANGUAGE plpgsql STABLE AS $$
DECLARE
    here uuid := memdir.current_space();
    told json;
    last bigint;
    more boolean;
BEGIN
    SELECT CASE WHEN count(*) = 0 THEN '{}' ELSE json_build_object(
        'file', array_agg(file), 'seq', array_agg(seq), 'content', array_agg(content), 'size', array_agg(size),
        'deleted', array_agg(deleted), 'saved_ns', array_agg(saved_ns), 'who', array_agg(who), 'at', array_agg(at),
        'session', array_agg(session), 'actor', array_agg(actor), 'request', array_agg(request)
    ) END, coalesce(max(seq), since), count(*) = most INTO told, last, more
    FROM (
        SELECT v.file, v.seq, v.content, coalesce(octet_length(v.data), 0) AS size, v.content = '' AS deleted,
            v.saved_ns, v.who, memdir.stamp(v.at) AS at, v.session, v.actor, v.request
        FROM (SELECT seq FROM memdir.head WHERE space = here AND seq > since ORDER BY seq LIMIT most) page
        CROSS JOIN LATERAL (
            SELECT * FROM memdir.version WHERE space = here AND seq = page.seq LIMIT 1
        ) v ORDER BY page.seq
    ) change;
    more := more AND EXISTS (SELECT FROM memdir.head WHERE space = here AND seq > last);
    RETURN json_build_object(
        'seq', CASE WHEN more THEN last ELSE (SELECT seq FROM memdir.space WHERE id = here) END,
        'changes', told,
        'more', more,
        'rewound', mark IS NOT NULL
            AND NOT EXISTS (SELECT FROM memdir.version WHERE space = here AND seq = since AND request = mark)
    );
END
$$;

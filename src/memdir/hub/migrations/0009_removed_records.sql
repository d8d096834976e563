-- Pruning as before; that a record was removed is forgotten too. No copy of a space waits for so long to hear of it.

-- Removes what is old from one space: versions that were replaced so many days ago and are not among the newest of
-- their file, or whose file was deleted so many days ago; answers to requests, ended jobs but for the newest 100 of
-- a kind, cookies, and that a record was removed. The newest version of a file, or that it was deleted, always stays.
CREATE OR REPLACE FUNCTION memdir.prune_space(here uuid, version_days int, kept int, request_days int) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    old timestamptz := now() - make_interval(days => request_days);
    versions bigint;
    highest bigint;
    requests bigint;
    jobs bigint;
BEGIN
    WITH aged AS (
        SELECT v.seq, h.seq AS newest, h.deleted,
            lead(v.at) OVER newer AS replaced, max(v.at) OVER (PARTITION BY v.file) AS changed,
            row_number() OVER (PARTITION BY v.file ORDER BY v.seq DESC) AS place
        FROM memdir.version v JOIN memdir.head h ON h.space = here AND h.file = v.file
        WHERE v.space = here WINDOW newer AS (PARTITION BY v.file ORDER BY v.seq)
    ), gone AS (
        DELETE FROM memdir.version WHERE space = here AND seq IN (
            SELECT seq FROM aged
            WHERE seq <> newest AND (
                (place > kept AND replaced < now() - make_interval(days => version_days))
                OR (deleted AND changed < now() - make_interval(days => version_days))
            )
        ) RETURNING seq
    )
    SELECT count(*), coalesce(max(seq), 0) INTO versions, highest FROM gone;
    DELETE FROM memdir.request WHERE space = here AND at < old;
    GET DIAGNOSTICS requests = ROW_COUNT;
    DELETE FROM memdir.job WHERE space = here AND status <> 'waiting' AND ended_at < old AND id NOT IN (
        SELECT id FROM (
            SELECT id, row_number() OVER (PARTITION BY task ORDER BY at DESC) AS place
            FROM memdir.job WHERE space = here
        ) newest WHERE place <= 100
    );
    GET DIAGNOSTICS jobs = ROW_COUNT;
    DELETE FROM memdir.sign_in WHERE space = here AND expires_at < now();
    DELETE FROM memdir.record WHERE space = here AND data IS NULL AND saved_ns < extract(epoch FROM old) * 1e9;
    INSERT INTO memdir.pruning (space, at, seq) VALUES (here, now(), highest)
    ON CONFLICT (space) DO UPDATE SET at = excluded.at, seq = greatest(pruning.seq, excluded.seq);
    RETURN jsonb_build_object('versions', versions, 'requests', requests, 'jobs', jobs);
END
$$;

-- What lets a node notice that the database was restored, and what goes when it is old.

-- Returns another text after each restore, start of PostgreSQL or purge: copies that were made before are made anew.
-- A restored table lies in another file, whatever its rows say; another server has started at another moment.
CREATE FUNCTION memdir.identity(epoch uuid) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT concat_ws(
        ' ', epoch, pg_relation_filenode(to_regclass('memdir.space')), extract(epoch FROM pg_postmaster_start_time())
    )
$$;

-- The newest number of the space, and the identity of what holds it.
CREATE FUNCTION memdir.state() RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT json_build_array(s.seq, memdir.identity(s.epoch)) FROM memdir.space s
        WHERE s.id = memdir.current_space()
    );
END
$$;

-- When a space was pruned last, and the highest number of a version that went.
CREATE TABLE memdir.pruning (
    space uuid PRIMARY KEY REFERENCES memdir.space ON DELETE CASCADE,
    at timestamptz NOT NULL,
    seq bigint NOT NULL DEFAULT 0
);
SELECT memdir.confine('memdir.pruning');
GRANT SELECT ON memdir.pruning TO memdir_node;

CREATE INDEX version_of_file ON memdir.version (space, file, seq);
CREATE INDEX request_by_age ON memdir.request (space, at);

-- Removes what is old from one space: versions that were replaced so many days ago and are not among the newest of
-- their file, or whose file was deleted so many days ago; answers to requests, ended jobs but for the newest 100 of
-- a kind, and cookies. The newest version of a file, or that it was deleted, always stays.
CREATE FUNCTION memdir.prune_space(here uuid, version_days int, kept int, request_days int) RETURNS jsonb
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
    INSERT INTO memdir.pruning (space, at, seq) VALUES (here, now(), highest)
    ON CONFLICT (space) DO UPDATE SET at = excluded.at, seq = greatest(pruning.seq, excluded.seq);
    RETURN jsonb_build_object('versions', versions, 'requests', requests, 'jobs', jobs);
END
$$;

-- Prunes the space that waits longest, if it was not pruned for a day; null where none is due. Workers call it, as
-- a role that sees no space; so it never takes what is younger than a week, or answers of the last day.
CREATE FUNCTION memdir.prune_due(version_days int, kept int, request_days int) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = memdir, pg_temp AS $$
DECLARE
    due uuid;
BEGIN
    SELECT s.id INTO due FROM memdir.space s LEFT JOIN memdir.pruning p ON p.space = s.id
    WHERE coalesce(p.at, s.created_at) < now() - interval '1 day'
    AND pg_try_advisory_xact_lock(7236105, hashtext(s.id::text))
    ORDER BY coalesce(p.at, s.created_at) LIMIT 1;
    IF due IS NULL THEN
        RETURN NULL;
    END IF;
    RETURN memdir.prune_space(due, greatest(version_days, 7), greatest(kept, 2), greatest(request_days, 1));
END
$$;
ALTER FUNCTION memdir.prune_due OWNER TO memdir_admin;

REVOKE ALL ON FUNCTION memdir.identity, memdir.state, memdir.prune_space, memdir.prune_due FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memdir.identity, memdir.state, memdir.prune_due TO memdir_node, memdir_admin;
GRANT EXECUTE ON FUNCTION memdir.prune_space TO memdir_admin;

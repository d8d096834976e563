-- What an administrator of one space may do: tokens, use, the audit log, and removal for good.

GRANT SELECT (id, space, name, scopes, created_at, expires_at, revoked_at) ON memdir.token TO memdir_node;
GRANT INSERT, UPDATE (revoked_at) ON memdir.token TO memdir_node;

CREATE FUNCTION memdir.note(action text, detail jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO memdir.audit (space, token, action, detail)
    VALUES (memdir.current_space(), nullif(current_setting('memdir.token', true), '')::uuid, action, detail);
END
$$;

CREATE FUNCTION memdir.create_token(name text, hash bytea, scopes text[], expires_at timestamptz) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
    made uuid := gen_random_uuid();
BEGIN
    INSERT INTO memdir.token (id, space, name, hash, scopes, expires_at)
    VALUES (made, memdir.current_space(), name, hash, scopes, expires_at);
    PERFORM memdir.note('token created', jsonb_build_object('id', made, 'name', name, 'scopes', scopes));
    RETURN made;
END
$$;

CREATE FUNCTION memdir.revoke_token(token_id uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE memdir.token SET revoked_at = coalesce(revoked_at, now())
    WHERE space = memdir.current_space() AND id = token_id;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM memdir.note('token revoked', jsonb_build_object('id', token_id));
    RETURN true;
END
$$;

CREATE FUNCTION memdir.tokens() RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT json_build_object('tokens', coalesce(json_agg(t ORDER BY t.created), '[]'))
        FROM (
            SELECT id, name, scopes, memdir.stamp(created_at) AS created,
                coalesce(memdir.stamp(expires_at), '') AS expires, coalesce(memdir.stamp(revoked_at), '') AS revoked
            FROM memdir.token WHERE space = memdir.current_space()
        ) t
    );
END
$$;

CREATE FUNCTION memdir.usage() RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
    here uuid := memdir.current_space();
BEGIN
    RETURN (
        SELECT json_build_object(
            'name', s.name, 'id', s.id, 'seq', s.seq, 'created', memdir.stamp(s.created_at),
            'memories', (SELECT count(*) FROM memdir.head WHERE space = here AND NOT deleted),
            'versions', v.versions, 'bytes', v.bytes,
            'tokens', (SELECT count(*) FROM memdir.token WHERE space = here AND revoked_at IS NULL)
        )
        FROM memdir.space s, (
            SELECT count(*) AS versions, coalesce(sum(octet_length(data)), 0) AS bytes
            FROM memdir.version WHERE space = here
        ) v
        WHERE s.id = here
    );
END
$$;

CREATE FUNCTION memdir.audit_log(most int) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT json_build_object('entries', coalesce(json_agg(a ORDER BY a.id DESC), '[]'))
        FROM (
            SELECT id, memdir.stamp(at) AS at, action, token, detail FROM memdir.audit
            WHERE space = memdir.current_space() ORDER BY id DESC LIMIT most
        ) a
    );
END
$$;

-- Removes every text of files, and other texts by their names, for good. A file that was there is deleted by a new
-- version, so that clients see it. It works as memdir_admin, because versions never change otherwise.
CREATE FUNCTION memdir.purge(files text[], contents text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = memdir, pg_temp AS $$
DECLARE
    here uuid := memdir.current_space();
    start bigint;
    removed bigint;
    deleted_now bigint;
BEGIN
    SELECT seq INTO start FROM memdir.space WHERE id = here FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no space is set';
    END IF;
    INSERT INTO memdir.purged (space, content)
    SELECT here, content FROM memdir.version WHERE space = here AND content <> '' AND file = ANY (files)
    UNION SELECT here, content FROM unnest(contents) content WHERE content <> ''
    ON CONFLICT DO NOTHING;
    DELETE FROM memdir.vector WHERE space = here AND content IN (SELECT content FROM memdir.purged WHERE space = here);
    UPDATE memdir.request SET answer = jsonb_set(answer, '{said,answer}', 'null', false)
    WHERE space = here AND id IN (
        SELECT v.request FROM memdir.version v JOIN memdir.purged p ON p.space = here AND p.content = v.content
        WHERE v.space = here
    );
    UPDATE memdir.version SET data = NULL, content = ''
    WHERE space = here AND content IN (SELECT content FROM memdir.purged WHERE space = here);
    GET DIAGNOSTICS removed = ROW_COUNT;
    WITH gone AS (
        SELECT h.file, start + row_number() OVER (ORDER BY h.file) AS seq
        FROM memdir.head h JOIN memdir.version v ON v.space = here AND v.seq = h.seq
        WHERE h.space = here AND NOT h.deleted AND v.content = ''
    ), heads AS (
        UPDATE memdir.head h SET seq = gone.seq, deleted = true FROM gone WHERE h.space = here AND h.file = gone.file
    )
    INSERT INTO memdir.version (space, seq, file, content, saved_ns, who, session, actor, token, request)
    SELECT here, seq, file, '', 0, '', '', 'purge', nullif(current_setting('memdir.token', true), '')::uuid,
        gen_random_uuid()
    FROM gone;
    GET DIAGNOSTICS deleted_now = ROW_COUNT;
    UPDATE memdir.space SET seq = start + deleted_now WHERE id = here;
    PERFORM memdir.note('purged', jsonb_build_object('versions', removed));
    RETURN removed;
END
$$;
ALTER FUNCTION memdir.purge OWNER TO memdir_admin;

REVOKE ALL ON FUNCTION
    memdir.note, memdir.create_token, memdir.revoke_token, memdir.tokens, memdir.usage, memdir.audit_log, memdir.purge
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    memdir.note, memdir.create_token, memdir.revoke_token, memdir.tokens, memdir.usage, memdir.audit_log, memdir.purge
TO memdir_node, memdir_admin;

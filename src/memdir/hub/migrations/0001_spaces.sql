-- Spaces with their tokens, versions, answered requests and the record of administration.
--
-- Two roles without a login. memdir_node sees the one space that its transaction has set, and nothing without
-- one; memdir_admin sees all. Each table with a space is confined by row-level security, for its owner too.

DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['memdir_node', 'memdir_admin'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;  -- another database of this server is migrated at the same moment
        END;
        -- Since PostgreSQL 16 whoever makes a role is a member of it that cannot act as it.
        IF NOT pg_has_role(current_user, role_name, CASE
            WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER'
        END) THEN
            EXECUTE format('GRANT %I TO CURRENT_USER', role_name);
        END IF;
    END LOOP;
END
$$;

GRANT USAGE ON SCHEMA memdir TO memdir_node, memdir_admin;
GRANT CREATE ON SCHEMA memdir TO memdir_admin;  -- or it could not own a function
GRANT SELECT ON memdir.migration TO memdir_node, memdir_admin;

CREATE TABLE memdir.space (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,99}$'),
    seq bigint NOT NULL DEFAULT 0,  -- of its newest version
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE memdir.token (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    space uuid NOT NULL REFERENCES memdir.space ON DELETE CASCADE,
    name text NOT NULL,
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),  -- SHA-256; the token itself is nowhere
    scopes text[] NOT NULL CHECK (scopes <@ ARRAY['read', 'write', 'admin']),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz
);
CREATE INDEX token_of_space ON memdir.token (space);

-- The operation log: every version of every file. A deletion has no data and an empty content.
CREATE TABLE memdir.version (
    space uuid NOT NULL REFERENCES memdir.space ON DELETE CASCADE,
    seq bigint NOT NULL,
    file text COLLATE "C" NOT NULL,
    content text COLLATE "C" NOT NULL,  -- the object name that git gives to the data
    data bytea,
    saved_ns bigint NOT NULL,
    who text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    session text NOT NULL,
    actor text NOT NULL,
    token uuid,
    request uuid NOT NULL,
    PRIMARY KEY (space, seq)
);

-- The newest version of each file.
CREATE TABLE memdir.head (
    space uuid NOT NULL REFERENCES memdir.space ON DELETE CASCADE,
    file text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    deleted boolean NOT NULL,
    PRIMARY KEY (space, file)
);
CREATE INDEX head_by_seq ON memdir.head (space, seq);

-- What a request was answered: the same request again is answered the same, and does nothing.
CREATE TABLE memdir.request (
    space uuid NOT NULL REFERENCES memdir.space ON DELETE CASCADE,
    id uuid NOT NULL,
    answer jsonb NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (space, id)
);

-- Texts that were removed for good, as git names them: nobody may send them again.
CREATE TABLE memdir.purged (
    space uuid NOT NULL REFERENCES memdir.space ON DELETE CASCADE,
    content text COLLATE "C" NOT NULL,
    PRIMARY KEY (space, content)
);

-- Who administered what, never memory text. It outlives the space.
CREATE TABLE memdir.audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    space uuid,
    at timestamptz NOT NULL DEFAULT now(),
    token uuid,
    action text NOT NULL,
    detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_of_space ON memdir.audit (space, id);

CREATE FUNCTION memdir.current_space() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT nullif(current_setting('memdir.space', true), '')::uuid
$$;

-- Confines a table to the space of the transaction; the column names the space of a row.
CREATE FUNCTION memdir.confine(confined regclass, space_column text DEFAULT 'space') RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', confined);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', confined);
    EXECUTE format('CREATE POLICY one_space ON %s USING (%I = memdir.current_space())', confined, space_column);
    EXECUTE format('CREATE POLICY all_spaces ON %s TO memdir_admin USING (true)', confined);
    EXECUTE format('GRANT ALL ON %s TO memdir_admin', confined);
END
$$;

SELECT memdir.confine('memdir.space', 'id');
SELECT memdir.confine('memdir.token');
SELECT memdir.confine('memdir.version');
SELECT memdir.confine('memdir.head');
SELECT memdir.confine('memdir.request');
SELECT memdir.confine('memdir.purged');
SELECT memdir.confine('memdir.audit');

GRANT SELECT, UPDATE (seq) ON memdir.space TO memdir_node;
GRANT SELECT ON memdir.purged TO memdir_node;
GRANT SELECT, INSERT ON memdir.version, memdir.request, memdir.audit TO memdir_node;
GRANT SELECT, INSERT, UPDATE ON memdir.head TO memdir_node;

-- Sets the space of the transaction by a token. A name must be the space's own; without one the token names it.
-- Where the token may not, `denied` says what is wrong: token, space or scope, and no space is set.
CREATE FUNCTION memdir.enter(token_hash bytea, space_name text, needed text)
RETURNS TABLE (denied text, token uuid, space uuid, name text, scopes text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = memdir, pg_temp AS $$
BEGIN
    SELECT t.id, t.space, s.name, t.scopes INTO token, space, name, scopes
    FROM memdir.token t JOIN memdir.space s ON s.id = t.space
    WHERE t.hash = token_hash AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now());
    denied := CASE
        WHEN token IS NULL THEN 'token'
        WHEN name <> space_name THEN 'space'
        WHEN needed <> ALL (scopes) THEN 'scope'
    END;
    PERFORM set_config('memdir.space', CASE WHEN denied IS NULL THEN space::text ELSE '' END, true),
        set_config('memdir.token', coalesce(token::text, ''), true);
    RETURN NEXT;
END
$$;
ALTER FUNCTION memdir.enter OWNER TO memdir_admin;

-- A file to publish, but for its text.
CREATE TYPE memdir.outgoing AS (
    file text, base bigint, content text, saved_ns bigint, who text, session text, actor text
);

-- Publishes changes with their texts to the space of the transaction, all or none. Each is a change of the
-- version that it names as its base, 0 for a file that is not there; where that is not the newest one, the answer
-- is {"moved": {file: its newest version}}; with texts that were removed for good it is {"purged": [files]}. The row of the space is locked first: its numbers become visible in
-- order, so that nothing is missed by whoever asks for those after the last one seen.
CREATE FUNCTION memdir.publish(request_id uuid, said jsonb, changes json, texts bytea[]) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    here uuid := memdir.current_space();
    rows memdir.outgoing[] := array(SELECT c FROM json_populate_recordset(NULL::memdir.outgoing, changes) c);
    start bigint;
    told jsonb;
BEGIN
    SELECT seq INTO start FROM memdir.space WHERE id = here FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no space is set';
    END IF;
    SELECT answer INTO told FROM memdir.request WHERE space = here AND id = request_id;
    IF FOUND THEN
        RETURN told;
    END IF;
    SELECT jsonb_build_object('moved', jsonb_object_agg(c.file, coalesce(h.seq, 0))) INTO told
    FROM unnest(rows) c
    LEFT JOIN memdir.head h ON h.space = here AND h.file = c.file
    WHERE coalesce(h.seq, 0) <> c.base AND NOT (c.base = 0 AND h.deleted)
    HAVING count(*) > 0;
    IF FOUND THEN
        RETURN told;
    END IF;
    SELECT jsonb_build_object('purged', jsonb_agg(c.file)) INTO told
    FROM unnest(rows) c JOIN memdir.purged p ON p.space = here AND p.content = c.content
    HAVING count(*) > 0;
    IF FOUND THEN
        RETURN told;
    END IF;
    INSERT INTO memdir.version (space, seq, file, content, data, saved_ns, who, session, actor, token, request)
    SELECT here, start + n, file, content, data, saved_ns, who, session, actor,
        nullif(current_setting('memdir.token', true), '')::uuid, request_id
    FROM unnest(rows, texts)
        WITH ORDINALITY c (file, base, content, saved_ns, who, session, actor, data, n);
    INSERT INTO memdir.head (space, file, seq, deleted)
    SELECT here, file, start + n, content = ''
    FROM unnest(rows) WITH ORDINALITY c (file, base, content, saved_ns, who, session, actor, n)
    ON CONFLICT (space, file) DO UPDATE SET seq = excluded.seq, deleted = excluded.deleted;
    UPDATE memdir.space SET seq = start + cardinality(rows) WHERE id = here;
    SELECT jsonb_build_object(
        'seq', start + cardinality(rows),
        'files', coalesce(jsonb_object_agg(file, start + n), '{}'),
        'said', said
    ) INTO told
    FROM unnest(rows) WITH ORDINALITY c (file, base, content, saved_ns, who, session, actor, n);
    INSERT INTO memdir.request (space, id, answer) VALUES (here, request_id, told);
    RETURN told;
END
$$;

CREATE FUNCTION memdir.stamp(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

-- The newest version of each file that changed after a number, in order, and up to which number that is all.
-- Each property of the versions is one list: that takes a third of the time of an object for each version.
-- A mark is the request that published the version of that number: where it is another, the space was rewound.
CREATE FUNCTION memdir.changes(since bigint, most int, mark uuid DEFAULT NULL) RETURNS json
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
    ) END, coalesce(max(seq), since) INTO told, last
    FROM (
        SELECT v.file, v.seq, v.content, coalesce(octet_length(v.data), 0) AS size, v.content = '' AS deleted,
            v.saved_ns, v.who, memdir.stamp(v.at) AS at, v.session, v.actor, v.request
        FROM memdir.head h JOIN memdir.version v ON v.space = here AND v.seq = h.seq
        WHERE h.space = here AND h.seq > since ORDER BY h.seq LIMIT most
    ) change;
    more := EXISTS (SELECT FROM memdir.head WHERE space = here AND seq > last);
    RETURN json_build_object(
        'seq', CASE WHEN more THEN last ELSE (SELECT seq FROM memdir.space WHERE id = here) END,
        'changes', told,
        'more', more,
        'rewound', mark IS NOT NULL
            AND NOT EXISTS (SELECT FROM memdir.version WHERE space = here AND seq = since AND request = mark)
    );
END
$$;

-- The texts of versions in base64, null for one that has none. What does not fit is left out.
CREATE FUNCTION memdir.read(seqs bigint[], most bigint) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT json_build_object('files', coalesce(json_object_agg(seq, translate(data, E'\n', '')), '{}'))
        FROM (
            SELECT w.seq, encode(v.data, 'base64') AS data,
                sum(octet_length(v.data)) OVER (ORDER BY w.seq) AS bytes
            FROM (SELECT DISTINCT unnest(seqs) AS seq) w
            LEFT JOIN memdir.version v ON v.space = memdir.current_space() AND v.seq = w.seq
        ) found
        WHERE bytes IS NULL OR bytes <= most
    );
END
$$;

-- All versions before a number, the newest first.
CREATE FUNCTION memdir.log(before bigint, most int) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
    here uuid := memdir.current_space();
    told json;
    last bigint;
BEGIN
    SELECT coalesce(json_agg(change), '[]'), min(change.seq) INTO told, last
    FROM (
        SELECT v.file, v.seq, v.content, coalesce(octet_length(v.data), 0) AS size, v.content = '' AS deleted,
            v.saved_ns, v.who, memdir.stamp(v.at) AS at, v.session, v.actor, v.request
        FROM memdir.version v WHERE v.space = here AND v.seq < before ORDER BY v.seq DESC LIMIT most
    ) change;
    RETURN json_build_object(
        'changes', told,
        'more', EXISTS (SELECT FROM memdir.version WHERE space = here AND seq < last)
    );
END
$$;

-- The highest number among versions that this space has too: up to there both histories are the same.
CREATE FUNCTION memdir.meeting(seqs bigint[], requests uuid[]) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT coalesce(max(v.seq), 0)
        FROM unnest(seqs, requests) known (seq, request)
        JOIN memdir.version v ON v.space = memdir.current_space() AND v.seq = known.seq AND v.request = known.request
    );
END
$$;

-- What a request was answered, null for one that was not.
CREATE FUNCTION memdir.answered(request_id uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT answer FROM memdir.request WHERE space = memdir.current_space() AND id = request_id);
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA memdir FROM PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA memdir TO memdir_node, memdir_admin;
REVOKE ALL ON FUNCTION memdir.confine FROM memdir_node;

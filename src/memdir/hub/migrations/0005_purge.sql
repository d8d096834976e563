-- Removal for good, everywhere: old versions, records, jobs and answers, searched by words; and against texts that
-- come back from a machine which changed them meanwhile.

-- Whoever has a copy of the space makes it anew where this is another one.
ALTER TABLE memdir.space ADD COLUMN epoch uuid NOT NULL DEFAULT gen_random_uuid();

-- The version that the text of a new file comes from, where that file was deleted since.
ALTER TYPE memdir.outgoing ADD ATTRIBUTE was bigint;

-- As before, and a file that was purged after the version that its text comes from is refused like a purged text.
CREATE OR REPLACE FUNCTION memdir.publish(request_id uuid, said jsonb, changes json, texts bytea[]) RETURNS jsonb
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
    FROM unnest(rows) c
    WHERE EXISTS (SELECT FROM memdir.purged p WHERE p.space = here AND p.content = c.content)
    OR (c.was > 0 AND EXISTS (
        SELECT FROM memdir.head h JOIN memdir.version v ON v.space = here AND v.seq = h.seq
        WHERE h.space = here AND h.file = c.file AND h.seq > c.was AND h.deleted AND v.actor = 'purge'
    ))
    HAVING count(*) > 0;
    IF FOUND THEN
        RETURN told;
    END IF;
    INSERT INTO memdir.version (space, seq, file, content, data, saved_ns, who, session, actor, token, request)
    SELECT here, start + n, file, content, data, saved_ns, who, session, actor,
        nullif(current_setting('memdir.token', true), '')::uuid, request_id
    FROM unnest(rows, texts)
        WITH ORDINALITY c (file, base, content, saved_ns, who, session, actor, was, data, n);
    INSERT INTO memdir.head (space, file, seq, deleted)
    SELECT here, file, start + n, content = ''
    FROM unnest(rows) WITH ORDINALITY c (file, base, content, saved_ns, who, session, actor, was, n)
    ON CONFLICT (space, file) DO UPDATE SET seq = excluded.seq, deleted = excluded.deleted;
    UPDATE memdir.space SET seq = start + cardinality(rows) WHERE id = here;
    SELECT jsonb_build_object(
        'seq', start + cardinality(rows),
        'files', coalesce(jsonb_object_agg(file, start + n), '{}'),
        'said', said
    ) INTO told
    FROM unnest(rows) WITH ORDINALITY c (file, base, content, saved_ns, who, session, actor, was, n);
    INSERT INTO memdir.request (space, id, answer) VALUES (here, request_id, told);
    RETURN told;
END
$$;

CREATE FUNCTION memdir.holds(said text, words text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT EXISTS (SELECT FROM unnest(words) word WHERE strpos(said, word) > 0)
$$;

CREATE FUNCTION memdir.holds(said bytea, words text[]) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT EXISTS (SELECT FROM unnest(words) word WHERE position(convert_to(word, 'UTF8') IN said) > 0)
$$;

-- Returns the lines of a text that hold none of the words.
CREATE FUNCTION memdir.without_lines(said bytea, words text[]) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT convert_to(coalesce(string_agg(line, E'\n' ORDER BY n), ''), 'UTF8')
    FROM regexp_split_to_table(convert_from(said, 'UTF8'), E'\n') WITH ORDINALITY l (line, n)
    WHERE NOT memdir.holds(line, words)
$$;

-- Returns what a job is about without the messages that hold any of the words.
CREATE FUNCTION memdir.without_messages(input jsonb, words text[]) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    clean jsonb := jsonb_set(input, '{messages}', coalesce((
        SELECT jsonb_agg(message ORDER BY n)
        FROM jsonb_array_elements(input -> 'messages') WITH ORDINALITY m (message, n)
        WHERE NOT memdir.holds(message::text, words)
    ), '[]'));
BEGIN
    RETURN CASE WHEN memdir.holds(clean::text, words) THEN '{"messages": [], "session": ""}' ELSE clean END;
END
$$;

-- Returns of each table of the space, also of those that are made later, how many rows hold any of the words:
-- plain, inside JSON, or as bytes.
CREATE FUNCTION memdir.found(words text[]) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = memdir, pg_temp AS $$
DECLARE
    bytes text[] := array(SELECT encode(convert_to(word, 'UTF8'), 'hex') FROM unnest(words) word);
    told jsonb := '{}';
    one record;
    number bigint;
BEGIN
    FOR one IN
        SELECT c.relname AS name, a.attname AS space_column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'memdir'::regnamespace AND NOT a.attisdropped
        AND (a.attname = 'space' OR (c.relname, a.attname) = ('space', 'id')) ORDER BY c.relname
    LOOP
        EXECUTE format(
            'SELECT count(*) FROM memdir.%I t WHERE t.%I = memdir.current_space() AND memdir.holds(to_jsonb(t)::text, $1)',
            one.name, one.space_column
        ) INTO number USING words || bytes;
        told := told || jsonb_build_object(one.name, number);
    END LOOP;
    RETURN told;
END
$$;
ALTER FUNCTION memdir.found OWNER TO memdir_admin;

-- Removes every text of files, texts by their names, and whatever else of the space holds any of the words, for good.
-- A file that was there is deleted by a new version, so that clients see it; another memory that says the same today
-- stays, and is named. It works as memdir_admin, because versions never change otherwise.
CREATE FUNCTION memdir.purge(files text[], contents text[], words text[]) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = memdir, pg_temp AS $$
DECLARE
    here uuid := memdir.current_space();
    start bigint;
    doomed bigint[];
    versions bigint;
    answers bigint;
    records bigint;
    jobs bigint;
    deleted_now bigint;
    counts jsonb;
BEGIN
    SELECT seq INTO start FROM memdir.space WHERE id = here FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no space is set';
    END IF;
    SELECT coalesce(array_agg(v.seq), '{}') INTO doomed FROM memdir.version v
    WHERE v.space = here AND v.content <> '' AND (
        v.file = ANY (files) OR v.content = ANY (contents)
        OR EXISTS (SELECT FROM memdir.purged p WHERE p.space = here AND p.content = v.content)
        OR (memdir.holds(v.data, words)
            AND NOT EXISTS (SELECT FROM memdir.head h WHERE h.space = here AND h.file = v.file AND h.seq = v.seq))
    );
    INSERT INTO memdir.purged (space, content)
    SELECT here, v.content FROM memdir.version v WHERE v.space = here AND v.seq = ANY (doomed)
    UNION SELECT here, content FROM unnest(contents) content WHERE content <> ''
    ON CONFLICT DO NOTHING;
    DELETE FROM memdir.vector WHERE space = here AND content IN (SELECT content FROM memdir.purged WHERE space = here);
    UPDATE memdir.request r SET answer = jsonb_set(r.answer, '{said,answer}', 'null', false)
    WHERE r.space = here AND r.answer #> '{said,answer}' <> 'null' AND (
        r.id IN (SELECT v.request FROM memdir.version v WHERE v.space = here AND v.seq = ANY (doomed))
        OR memdir.holds(r.answer::text, words)
    );
    GET DIAGNOSTICS answers = ROW_COUNT;
    UPDATE memdir.version SET data = NULL, content = '' WHERE space = here AND seq = ANY (doomed);
    GET DIAGNOSTICS versions = ROW_COUNT;
    UPDATE memdir.job SET
        input = CASE WHEN memdir.holds(input::text, words) THEN memdir.without_messages(input, words) ELSE input END,
        answer = CASE WHEN memdir.holds(answer::text, words) THEN '{"because": "removed for good"}' ELSE answer END
    WHERE space = here AND (memdir.holds(input::text, words) OR memdir.holds(answer::text, words));
    GET DIAGNOSTICS jobs = ROW_COUNT;
    UPDATE memdir.record SET
        seq = start + 1,
        data = CASE WHEN name LIKE '%/ledger/%' THEN memdir.without_lines(data, words || files) END
    WHERE space = here AND memdir.holds(data, words || files);
    GET DIAGNOSTICS records = ROW_COUNT;
    start := start + least(records, 1);
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
    UPDATE memdir.space SET seq = start + deleted_now, epoch = gen_random_uuid() WHERE id = here;
    counts := jsonb_build_object('versions', versions, 'answers', answers, 'records', records, 'jobs', jobs);
    PERFORM memdir.note('purged', counts);
    RETURN counts || jsonb_build_object(
        'found', memdir.found(words),
        'left', array(
            SELECT h.file FROM memdir.head h JOIN memdir.version v ON v.space = here AND v.seq = h.seq
            WHERE h.space = here AND memdir.holds(v.data, words) ORDER BY h.file
        )
    );
END
$$;
ALTER FUNCTION memdir.purge(text[], text[], text[]) OWNER TO memdir_admin;

-- What a node of the version before calls.
CREATE OR REPLACE FUNCTION memdir.purge(files text[], contents text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = memdir, pg_temp AS $$
BEGIN
    RETURN memdir.purge(files, contents, '{}') ->> 'versions';
END
$$;

REVOKE ALL ON FUNCTION
    memdir.holds(text, text[]), memdir.holds(bytea, text[]), memdir.without_lines, memdir.without_messages,
    memdir.found, memdir.purge(text[], text[], text[])
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    memdir.holds(text, text[]), memdir.holds(bytea, text[]), memdir.without_lines, memdir.without_messages,
    memdir.found, memdir.purge(text[], text[], text[])
TO memdir_node, memdir_admin;

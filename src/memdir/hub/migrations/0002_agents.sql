-- What agents without a disk need: small files of their memories that are no memories, and jobs.

-- Inbox, cursors, costs: numbered with the versions of the space, so that nodes see what is new.
CREATE TABLE memdir.record (
    space uuid NOT NULL REFERENCES memdir.space ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    data bytea,  -- nothing where it was removed
    saved_ns bigint NOT NULL,
    PRIMARY KEY (space, name)
);
CREATE INDEX record_by_seq ON memdir.record (space, seq);

-- What a job is about and what it ended in; the queue itself knows nothing but ids.
CREATE TABLE memdir.job (
    space uuid NOT NULL REFERENCES memdir.space ON DELETE CASCADE,
    id uuid NOT NULL,
    task text NOT NULL,
    input jsonb,  -- removed when it is done
    status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'done', 'failed')),
    answer jsonb,
    at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    PRIMARY KEY (space, id)
);

-- Vectors by the content they were computed from: computed once, used by every node.
CREATE TABLE memdir.vector (
    space uuid NOT NULL REFERENCES memdir.space ON DELETE CASCADE,
    version text NOT NULL,
    content text COLLATE "C" NOT NULL,
    vectors bytea NOT NULL,
    tokens bytea NOT NULL,
    PRIMARY KEY (space, version, content)
);

-- Up to which number all memories of a space have vectors.
CREATE TABLE memdir.learned (
    space uuid PRIMARY KEY REFERENCES memdir.space ON DELETE CASCADE,
    seq bigint NOT NULL
);

SELECT memdir.confine('memdir.record');
SELECT memdir.confine('memdir.job');
SELECT memdir.confine('memdir.vector');
SELECT memdir.confine('memdir.learned');

GRANT SELECT, INSERT, UPDATE ON memdir.record, memdir.job, memdir.learned TO memdir_node;
GRANT SELECT, INSERT, DELETE ON memdir.vector TO memdir_node;
GRANT SELECT (id, name) ON memdir.token TO memdir_node;

-- Names spaces with memories that have no vectors yet, and says nothing else about them.
CREATE FUNCTION memdir.unlearned(most int) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = memdir, pg_temp AS $$
    SELECT s.id FROM memdir.space s LEFT JOIN memdir.learned l ON l.space = s.id
    WHERE s.seq > coalesce(l.seq, 0) LIMIT most
$$;
ALTER FUNCTION memdir.unlearned OWNER TO memdir_admin;
REVOKE ALL ON FUNCTION memdir.unlearned FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memdir.unlearned TO memdir_node;

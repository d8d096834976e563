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
    content text COLLATE "C" NOT NULL,
    vectors bytea NOT NULL,
    tokens bytea NOT NULL,
    PRIMARY KEY (space, content)
);

SELECT memdir.confine('memdir.record');
SELECT memdir.confine('memdir.job');
SELECT memdir.confine('memdir.vector');

GRANT SELECT, INSERT, UPDATE ON memdir.record, memdir.job TO memdir_node;
GRANT SELECT, INSERT ON memdir.vector TO memdir_node;
GRANT SELECT (id, name) ON memdir.token TO memdir_node;

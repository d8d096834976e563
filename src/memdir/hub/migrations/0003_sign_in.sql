-- Browsers that were signed in with a token: a cookie stands for the token, for some hours and no longer than it.
CREATE TABLE memdir.sign_in (
    space uuid NOT NULL REFERENCES memdir.space ON DELETE CASCADE,
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),  -- SHA-256; the cookie itself is nowhere
    token uuid NOT NULL REFERENCES memdir.token ON DELETE CASCADE,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '12 hours'
);

SELECT memdir.confine('memdir.sign_in');
GRANT SELECT, INSERT, DELETE ON memdir.sign_in TO memdir_node;

-- Returns the hash of the token that a cookie stands for; nothing where it is unknown or expired.
CREATE FUNCTION memdir.signed_in(cookie_hash bytea) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = memdir, pg_temp AS $$
    SELECT t.hash FROM memdir.sign_in i JOIN memdir.token t ON t.id = i.token
    WHERE i.hash = cookie_hash AND i.expires_at > now()
$$;
ALTER FUNCTION memdir.signed_in OWNER TO memdir_admin;
REVOKE ALL ON FUNCTION memdir.signed_in FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memdir.signed_in TO memdir_node;

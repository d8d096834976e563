-- Locks the space of the transaction until it ends, and returns its newest number and the identity of what holds it:
-- in one statement with `memdir.enter`, a change begins with one round trip.
CREATE FUNCTION memdir.locked() RETURNS json LANGUAGE plpgsql AS $$
DECLARE
    told json;
BEGIN
    SELECT json_build_array(seq, memdir.identity(epoch)) INTO told
    FROM memdir.space WHERE id = memdir.current_space() FOR UPDATE;
    RETURN told;
END
$$;

REVOKE ALL ON FUNCTION memdir.locked FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memdir.locked TO memdir_node, memdir_admin;

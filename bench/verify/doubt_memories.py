"""Memories on the history of namesakes: a loose match must not make one of them fresh."""

from bench.verify.histories import Case

__all__ = ["DOUBT_CASES"]

DOUBT_CASES = (
    Case("namesake file", "mono", "Keep `compat.py` free of imports.", "no claim"),
    Case("namesake file", "mono", "`old/compat.py` is frozen.", "stale"),
    Case("namesake file", "mono", "`libs/new/compat.py` is the one to edit.", "fresh"),
    Case("namesake file", "mono", "`retry.py` has twelve functions on purpose.", "fresh"),
    Case("namesake file", "mono", "`libs/old/retry.py` has twelve functions.", "stale"),
    Case("namesake file", "mono", "Users are read in `handlers.py`.", "fresh"),
    Case("namesake file", "mono", "`models.py` is generated.", "fresh"),
    Case("namesake target", "mono", "Run `make clean` before a release.", "no claim"),
    Case("namesake target", "mono", "`make -C third_party/zlib clean` is enough.", "fresh"),
    Case("namesake target", "mono", "`cd third_party/zlib && make clean`", "fresh"),
    Case("namesake target", "mono", "`make wipe` is safe.", "stale"),
    Case("namesake target", "mono", "`make docs` takes a minute.", "fresh"),
    Case("namesake target", "mono", "`make build` needs gcc.", "fresh"),
    Case("namesake script", "mono", "Start with `npm run dev`.", "no claim"),
    Case("namesake script", "mono", "`npm run dev -w web` opens port 5173.", "fresh"),
    Case("namesake script", "mono", "`pnpm --filter api dev` watches.", "fresh"),
    Case("namesake script", "mono", "`npm run seed` fills the database.", "stale"),
    Case("namesake script", "mono", "`npm --prefix apps/web run seed` fills the browser.", "fresh"),
    Case("namesake script", "mono", "In web the port comes from `npm run dev`.", "fresh"),
    Case("namesake symbol", "mono", "`load_user()` must not raise.", "no claim"),
    Case("namesake symbol", "mono", "`load_user` in `apps/api/handlers.py` must not raise.", "stale"),
    Case("namesake symbol", "mono", "`load_user` in `apps/web/handlers.py` returns a list.", "fresh"),
    Case("namesake symbol", "mono", "`parse_all()` keeps spaces.", "fresh"),
    Case(
        "told deletion",
        "mono",
        "`ops/rotate.sh` was deleted on purpose and should not come back.",
        "no claim",
    ),
    Case("told deletion", "mono", "We removed ops/legacy/sync.sh; deploys go through CI.", "no claim"),
    Case("told deletion", "mono", "`sync.sh` wurde bewusst entfernt.", "no claim"),
    Case("told deletion", "mono", "On a supprimé `ops/rotate.sh`, trop risqué.", "no claim"),
    Case("told deletion", "mono", "`rotate.sh` fue eliminado en abril.", "no claim"),
    Case("told deletion", "mono", "We dropped `make wipe`; it took the database with it.", "no claim"),
    Case("told deletion", "mono", "`ops/rotate.sh` is run by cron.", "stale"),
)

"""The files of a command are those that its program reads or changes; scripts and values are not."""

from tests.tables import on_row

from memdir.rules.shell.files import files_of

FILES = [
    ("cat a b", "Read a, Read b"),
    ("cat -e .env", "Read .env"),
    ("head -n 5 a", "Read a"),
    ("grep .env a", "Read a"),
    ("grep -e .env a", "Read a"),
    ("grep -A 3 x a", "Read a"),
    ("grep -r . a", "Read a"),
    ("sed -ne p a", "Read a"),
    ("sed -i s/a/b/ a", "Write a"),
    ("sed -i -e s/a/b/ a", "Write a"),
    ("perl -pi -e s/a/b/ a", "Write a"),
    ("awk -F : p a", "Read a"),
    ("cp a b", "Read a, Write b"),
    ("cp a b/", "Read a, Write b/, Write b//a"),
    ("cp -t d a b", "Read a, Read b, Write d, Write d/a, Write d/b"),
    ("mv a b", "Read a, Write a, Write b"),
    ("dd if=a of=b bs=1", "Read a, Write b"),
    ("truncate -s 0 a", "Write a"),
    ("curl -d @a url", "Read a"),
    ("cat -- -a", "Read -a"),
    ("make a", ""),
    ("cp", ""),
    ("cp -i a b", "Read a, Write b"),
    ("rsync -e ssh a b", "Read a, Write b"),
    ("rm -f a", "Write a"),
    ("touch a", "Write a"),
    ("sort -o b a", "Read a, Write b"),
    ("curl -sSLo a url", "Write a"),
    ("curl --output=a url", "Write a"),
    ("wget -qOa url", "Write a"),
    ("openssl rand -out a", "Read rand, Write a"),
    ("tar -czf b a", "Read a, Write b"),
    ("tar -xf b.tar -C a", "Read b.tar, Write a"),
    ("prettier --write a", "Write? a"),
    ("prettier --check a", ""),
    ("black --check a", ""),
    ("vim -c wq a", "Read a, Write? a"),
    ("git checkout -- a", "Write? a"),
    ("git -C x restore a", "Write? a"),
    ("git restore --staged a", ""),
    ("git diff a", ""),
    ("patch -p1 a", "Write a"),
    ("perl -MList::Util -ne p a", ""),
    ("awk -i inplace p a", "Write p, Write a"),
]


def told(command: str) -> str:
    """Return the files of a command with their tools."""
    return ", ".join([f"{one.tool}{'' if one.sure else '?'} {one.path}" for one in files_of(command.split())])


def test_files_are_found_after_the_tool_that_would_touch_them() -> None:
    wrong = [(command, found) for command, wish in FILES if (found := on_row(told, command)) != wish]
    assert not wrong, str(wrong)

"""One changed line of a file outside of the ring's rules, which the test suite itself must notice."""

import msgspec


class Change(msgspec.Struct, frozen=True):
    """The line `before` of the file at `path`, from the repository's root, becomes `after`; lines are not indented.

    `tests` are the files and folders of tests that are tried besides those that mirror the path.
    """

    name: str
    path: str
    before: str
    after: str
    breaks: str
    tests: tuple[str, ...] = ()

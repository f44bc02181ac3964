"""Cleaning up after this process, even if it is killed."""

import subprocess


class Heir:
    """A shell that waits for the end of this process, and then cleans up if this process was killed.

    It runs `script` with `arguments` as $1, $2, ... unless it is dismissed before. Files `kept` stay open, with their
    locks, until it is done.
    """

    def __init__(self, script: str, *arguments: str, kept: tuple[int, ...] = ()) -> None:
        nowhere = subprocess.DEVNULL
        # In a session of its own, it gets no interrupt from the keyboard, nor a hang-up of a terminal that is closed.
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", f"read -r never\n{script}", "sh", *arguments],
            env={"PATH": "/usr/bin:/bin"},
            stdin=subprocess.PIPE,
            stdout=nowhere,
            stderr=nowhere,
            pass_fds=kept,
            start_new_session=True,
        )

    def dismiss(self) -> None:
        """End the shell, because nothing is left to clean up."""
        # Killed before the pipe is closed, it never comes to its script.
        self._shell.kill()
        self._shell.wait()
        assert self._shell.stdin is not None, "it has a pipe"
        self._shell.stdin.close()

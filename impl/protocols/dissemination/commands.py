"""Commands of the application, crashes, and deliveries of the layer below."""

from gomboc.impl.core.neighbourhood import Moved, Stayed
from gomboc.impl.core.vocabulary import Command, Crash, reader
from gomboc.impl.publishing.publication import Number


class Subscribe(Command, frozen=True):
    """Take part."""


class Unsubscribe(Command, frozen=True, omit_defaults=True):
    """Take part no longer; with `forget`, hold nothing any more."""

    forget: bool = False


class Issue(Command, frozen=True):
    """Publish this under this number, which was not used before."""

    number: Number
    payload: str


decode = reader(Subscribe | Unsubscribe | Issue | Crash | Moved | Stayed, "This is not a command of dissemination")

"""The shell around the instances of one node: it decodes messages, runs timers, and carries out outputs.

Every action happens within a call from the clock, the transport or the application, and no call blocks.
"""

from collections.abc import Iterable
from functools import partial
from typing import Literal

from msgspec import Struct

from gomboc.impl.core.automaton import (
    Core,
    Delivered,
    HeldAgain,
    HeldElsewhere,
    Implementation,
    Input,
    Output,
    Received,
    Refused,
    Send,
    SetTimer,
    Timeout,
    Traced,
)
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.failed import Failed
from gomboc.impl.core.refusals import BAD_MESSAGE, DISPUTED, NOT_YOURS, OTHER_PARAMETERS, UNKNOWN_TOPIC
from gomboc.impl.core.trace import InFlight, Step
from gomboc.impl.runtime.configuration import HostConfig, NodeContext, Terms
from gomboc.impl.runtime.detection.suspicions import Suspicions
from gomboc.impl.runtime.disciplines import JITTER, Discipline, times
from gomboc.impl.runtime.instances import Answered, Instances, StepResult
from gomboc.impl.runtime.topics import note, opened, sealed
from gomboc.impl.runtime.transport import Parcel

Took = Literal["timeout"] | int | Struct


class Host:
    """One node. Messages from nodes with another `agreement` are refused and counted.

    What the transport, an observer or the application does not take without an exception is counted in `failures`: all
    other outputs are carried out, and the first exception is raised then.
    """

    def __init__(
        self, name: str, conduct: HostConfig, implementation: Implementation, agreement: str, around: NodeContext
    ) -> None:
        self.name = name
        self.refusals, self.failures = conduct.refusals, conduct.failures
        self.instances = Instances(conduct.make, drops=conduct.drops, remembers=conduct.remembers)
        self._conduct = conduct
        self._implementation = implementation
        self._usual = Terms(agreement, conduct.contacts)
        self._around = around
        self._times = around.times or times(Discipline.UNORDERED, lambda: 0.0, JITTER, around.random)
        self._due: dict[str, float] = {}
        self._suspicions = Suspicions(implementation.failing, conduct.role)
        self.stopped = False
        failed = self._failed()
        if around.witness is not None:
            with failed:
                around.witness.started(name)
        around.transport.listen(self.receive, self.returned)
        failed.raise_first()

    @property
    def failed(self) -> int:
        """The number of outputs of this layer that could not be carried out."""
        return self.failures.by_layer[self._implementation.name]

    def _failed(self) -> Failed:
        return Failed(self.failures, self._implementation.name)

    def _terms(self, topic: str) -> Terms:
        return self._conduct.topics.get(topic, self._usual)

    def want(self, topic: str) -> None:
        """Make an instance of this topic if there is none, and keep it."""
        failed = self._failed()
        self._want(topic, failed)
        failed.raise_first()

    def _want(self, topic: str, failed: Failed) -> None:
        is_new = topic not in self.instances
        self.instances.want(topic)
        self._start(topic)
        if is_new:
            self._tell(topic, self._suspicions.at_start(), failed)

    def _open(self, topic: str, peer: str, failed: Failed) -> None:
        """Make an instance of this topic, which a message of this peer begins, and keep it."""
        self._want(topic, failed)
        self.instances.record_opener(topic, peer)
        self._report_beginning(topic, failed)

    def _report_beginning(self, topic: str, failed: Failed) -> None:
        if self._conduct.began is not None:
            with failed:
                self._conduct.began(topic)

    def command(self, topic: str, command: object) -> list[Output]:
        """Give a command to the topic's instance, and return its outputs. KeyError if there is no instance."""
        failed = self._failed()
        outputs = self.attempt(topic, command, failed)
        failed.raise_first()
        return outputs

    def attempt(self, topic: str, command: object, failed: Failed) -> list[Output]:
        """The same, with the exceptions of what could not be carried out in `failed`."""
        event = self._implementation.commanded(command)
        return self._step(topic, event.command, event, failed)

    def offer(self, topic: str, command: object) -> None:
        """Give a command to the topic's instance. Without one, a blank instance takes it if that changes nothing."""
        if topic in self.instances:
            self.command(topic, command)
            return
        event, failed = self._implementation.commanded(command), self._failed()
        answered = self.instances.answer(self._around.clock.now(), topic, event, keep=False)
        self._carry_out_blank(topic, event.command, event, answered, failed)
        failed.raise_first()

    def suspect(self, node: str) -> None:
        """Tell all instances that this node has crashed; `UsageError` if it can have no such name."""
        # Before it is remembered, or a topic that a peer begins would be told of a name that no node can have.
        for command in self._suspicions.of(node):
            self._implementation.commanded(command)
        self._tell_all(self._suspicions.begin(node))

    def trust(self, node: str) -> None:
        """End the suspicion of this node at all instances."""
        self._tell_all(self._suspicions.end(node))

    def _tell_all(self, commands: Iterable[object]) -> None:
        failed = self._failed()
        for command in commands:
            for topic in self.instances:
                self._tell(topic, (command,), failed)
        failed.raise_first()

    def _tell(self, topic: str, commands: Iterable[object], failed: Failed) -> None:
        for command in commands:
            if topic in self.instances:
                self.attempt(topic, command, failed)

    def stop(self) -> None:
        """Take no more messages and timeouts: to all other nodes this one has crashed."""
        self.stopped = True
        self._due.clear()
        self._around.transport.close()

    def crash(self) -> None:
        """Stop, and record in the trace that the node has crashed."""
        failed = self._failed()
        if not self.stopped and self._around.witness is not None:
            with failed:
                self._around.witness.crashed(self.name)
        self.stop()
        failed.raise_first()

    def receive(self, parcel: Parcel) -> None:
        """Handle a parcel that has arrived; one that cannot be decoded, or that the sender may not say, is refused."""
        if self.stopped:
            return
        try:
            envelope = opened(parcel.written)
            if envelope.agreement != self._terms(envelope.topic).agreement:
                self.refusals.count(None, OTHER_PARAMETERS, parcel.sender)
                return
            if envelope.refused:
                self._hear_note(envelope.topic, parcel.sender, envelope.refused)
                return
            message = self._implementation.decode(bytes(envelope.message))
        except PeerError:
            self.refusals.count(None, BAD_MESSAGE, parcel.sender)
            return
        topic, failed = envelope.topic, self._failed()
        if not self._is_theirs(topic, parcel.sender, message):
            self.refusals.count(topic if topic in self.instances else None, NOT_YOURS, parcel.sender)
            return
        if self._conduct.opens and topic not in self.instances and not self._conduct.refuses(topic, parcel.sender):
            self._open(topic, parcel.sender, failed)
        if topic in self.instances:
            self._conduct.leavers.hear(topic, parcel.sender, envelope.leaver)
            self._take(topic, parcel, message, failed)
        else:
            self._answer(topic, parcel, Received(message), failed)
        failed.raise_first()

    def _take(self, topic: str, parcel: Parcel, message: Struct, failed: Failed) -> None:
        """Have an instance take a message, without what is disputed with its sender.

        No trace has the answers in its place: to all others they come from a stranger.
        """
        disputes, peer = self._conduct.disputes, parcel.sender
        admitted: Struct | None = message
        replies: list[Struct] | None = []
        if disputes is not None:
            with failed:
                admitted, replies = disputes.admitted(topic, self.name, peer, message)
        if admitted is not None:
            outputs = self._step(topic, parcel.number, Received(admitted), failed, peer, message)
            if disputes is not None and any(isinstance(output, Refused) for output in outputs):
                disputes.refused(topic, peer, admitted)
        elif replies is None:
            self._take_without_effect(topic, parcel, message, failed)
        self._send_all(topic, [Send(peer, reply) for reply in replies or ()], failed)
        keys = () if disputes is None else disputes.unsaid(topic, peer)
        if keys:
            with failed:
                self._around.transport.send(peer, note(topic, self._terms(topic).agreement, keys))

    def _take_without_effect(self, topic: str, parcel: Parcel, message: Struct, failed: Failed) -> None:
        if self._around.witness is not None:
            self._show_beginning(topic, failed)
            with failed:
                step = Step(self.name, parcel.number, self.instances.snapshot(topic), [])
                self._around.witness.took(topic, step, message)

    def _hear_note(self, topic: str, peer: str, keys: tuple[str, ...]) -> None:
        if self._conduct.disputes is not None and topic in self.instances:
            for _ in range(self._conduct.disputes.told(topic, peer, keys)):
                self.refusals.count(topic, DISPUTED, peer)

    def _is_theirs(self, topic: str, sender: str, message: Struct) -> bool:
        """Whether the sender may say this. A node believes itself: it gives the answers of nodes that do not exist."""
        word = self._implementation.words.get(type(message))
        if word is None or sender == self.name:
            return True
        return word.is_of(sender, self._terms(topic).contacts.get(sender), self.name, message)

    def returned(self, to: str, parcel: Parcel) -> None:
        """Answer a parcel in place of its receiver `to`, which does not exist, if an answer is due.

        In a trace that is a step of the node that does not exist. Even a node that has stopped answers: if both ends of
        a link are gone, a trace would wait for the message for ever.
        """
        envelope, failed = opened(parcel.written), self._failed()
        if envelope.refused:
            return
        received = Received(self._implementation.decode(bytes(envelope.message)))
        if self._conduct.crashed_responder is not None:
            self._answer_for(self._conduct.crashed_responder(to, envelope.topic), to, parcel, received, failed)
        elif self._around.witness is not None:
            with failed:
                self._around.witness.missed(envelope.topic, to, parcel.number, received.message)
        if self._conduct.missing is not None and not self.stopped:
            with failed:
                self._conduct.missing(to)
        failed.raise_first()

    def _answer_for(self, core: Core, node: str, parcel: Parcel, received: Received, failed: Failed) -> None:
        """Have the core of a node that does not exist take a parcel, and send what it says."""
        topic, witness = opened(parcel.written).topic, self._around.witness
        if witness is not None:
            with failed:
                witness.gone(topic, node)
        outputs = core.handle(self._around.clock.now(), received)
        sent = self._send_all(topic, outputs, failed)
        if witness is not None:
            with failed:
                witness.took(topic, Step(node, parcel.number, core.snapshot(), sent), received.message)

    def _answer(self, topic: str, parcel: Parcel, received: Received, failed: Failed) -> None:
        """Handle a message of a topic that has no instance."""
        known = self.instances.know(topic)
        refused = None if known else self._conduct.refuses(topic, parcel.sender)
        answered = self.instances.answer(self._around.clock.now(), topic, received, keep=refused is None)
        begins = topic in self.instances
        if begins:
            self._start(topic)
            self.instances.record_opener(topic, parcel.sender)
        elif not known:
            # Not under the topic: a peer that makes up names would fill the memory with them.
            self.refusals.count(None, refused or UNKNOWN_TOPIC, parcel.sender)
        self._carry_out_blank(topic, parcel.number, received, answered, failed, parcel.sender)
        if begins:
            self._tell(topic, self._suspicions.at_start(), failed)
        if topic in self.instances:
            self._report_beginning(topic, failed)

    def _carry_out_blank(
        self, topic: str, took: Took, event: Input, answered: Answered, failed: Failed, peer: str | None = None
    ) -> None:
        if answered.taken is not None:
            if self._around.witness is not None:
                with failed:
                    self._around.witness.began(topic, self.name, self._conduct.role, answered.before)
            heard = event.message if isinstance(event, Received) else None
            self._carry_out(topic, took, event, answered.taken, failed, peer, heard)

    def _step(
        self,
        topic: str,
        took: Took,
        event: Input,
        failed: Failed,
        peer: str | None = None,
        heard: Struct | None = None,
    ) -> list[Output]:
        """Have an instance take a step; `heard` is the message as its sender wrote it, if there was one."""
        self._show_beginning(topic, failed)
        taken = self.instances.take(self._around.clock.now(), topic, event)
        self._carry_out(topic, took, event, taken, failed, peer, heard)
        return taken.outputs

    def _start(self, topic: str) -> None:
        """Start the timer of an instance, unless it runs already."""
        if topic not in self._due:
            self._set_timer(topic, self._times.first(self._around.clock.now()))

    def _set_timer(self, topic: str, at: float) -> None:
        self._due[topic] = at
        self._around.clock.call_at(at, partial(self._time_is_up, topic, at))

    def _time_is_up(self, topic: str, at: float) -> None:
        # A timer that was replaced, or whose instance is gone, means nothing.
        if self._due.get(topic) != at:
            return
        del self._due[topic]
        if topic in self.instances:
            failed = self._failed()
            outputs = self._step(topic, "timeout", Timeout(), failed)
            self._tell(topic, self._suspicions.after_timeout(outputs), failed)
            failed.raise_first()

    def _carry_out(
        self,
        topic: str,
        took: Took,
        event: Input,
        taken: StepResult,
        failed: Failed,
        peer: str | None = None,
        heard: Struct | None = None,
    ) -> None:
        delivered: list[object] = []
        handed: list[object] = []
        held: list[HeldElsewhere] = []
        coin: str | None = None
        # The timer first: whatever else fails, the instance goes on.
        for output in taken.outputs:
            if isinstance(output, SetTimer):
                self._set_timer(topic, self._times.due(self._around.clock.now(), output.at))
        sent = self._send_all(topic, taken.outputs, failed)
        for output in taken.outputs:
            match output:
                case Delivered(content):
                    delivered.append(content)
                    handed.append(content)
                case Refused(reason):
                    self.refusals.count(topic, reason, peer)
                case Traced(name):
                    coin = name
                case HeldAgain(content):
                    handed.append(content)
                case HeldElsewhere():
                    held.append(output)
        if self._around.witness is not None:
            step = Step(self.name, took, taken.core.snapshot(), sent, tuple(delivered), coin)
            with failed:
                self._around.witness.took(topic, step, event.message if isinstance(event, Received) else None)
        for content in handed:
            with failed:
                self._conduct.hand_over(topic, content)
        self._hear_of_holders(topic, heard, held, failed)

    def _hear_of_holders(self, topic: str, heard: Struct | None, held: list[HeldElsewhere], failed: Failed) -> None:
        if self._conduct.held_elsewhere is not None:
            if self._conduct.holders is not None and heard is not None:
                said = self._conduct.holders(heard)
                held += () if said is None else (said,)
            for holding in held:
                with failed:
                    self._conduct.held_elsewhere(topic, holding)

    def _show_beginning(self, topic: str, failed: Failed) -> None:
        """Show the state before the first step of an instance; any later one is that after the step before."""
        if self._around.witness is not None and topic not in self.instances.shown:
            with failed:
                self._around.witness.began(topic, self.name, self._conduct.role, self.instances.snapshot(topic))
                self.instances.shown.add(topic)

    def _send_all(self, topic: str, outputs: Iterable[Output], failed: Failed) -> list[InFlight]:
        """Send the messages among the outputs; the ones that are sent."""
        sent: list[InFlight] = []
        agreement = self._terms(topic).agreement
        for output in outputs:
            if isinstance(output, Send):
                with failed:
                    leaver = self._conduct.leavers.leaver(topic, output.to)
                    written = sealed(topic, agreement, self._implementation.encode(output.message), leaver)
                    number = self._around.transport.send(output.to, written)
                    sent.append(InFlight(number, output.to, output.message))
        return sent

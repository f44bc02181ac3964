"""The shell around the instances of one node: it decodes messages, runs timers, and carries out outputs.

Every action happens within a call from the clock, the transport or the application, and no call blocks.
"""

from collections.abc import Iterable

from msgspec import Struct

from gomboc.impl.core.automaton import Core, Implementation, Output, Received, Refused, Send, Timeout
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.failed import Failed
from gomboc.impl.core.refusals import BAD_MESSAGE, DISPUTED, NOT_YOURS, OTHER_PARAMETERS, UNKNOWN_TOPIC
from gomboc.impl.core.trace import Step, StepObserver
from gomboc.impl.runtime.configuration import HostConfig, NodeContext
from gomboc.impl.runtime.detection.suspicions import Suspicions
from gomboc.impl.runtime.instances import Instances, StepResult, Timers
from gomboc.impl.runtime.outlet import Outlet, Turn
from gomboc.impl.runtime.topics import opened
from gomboc.impl.runtime.transport import Parcel


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
        self._conduct, self._implementation, self._around = conduct, implementation, around
        self._timers = Timers(around, self._time_is_up)
        self._outlet = Outlet(name, conduct, implementation, agreement, around, self._timers)
        self._suspicions = Suspicions(implementation.failing, conduct.role)
        self.stopped = False
        failed = self._failed()
        self._outlet.show(failed, lambda witness: witness.started(name))
        around.transport.listen(self.receive, self.returned)
        failed.raise_first()

    @property
    def failed(self) -> int:
        """The number of outputs of this layer that could not be carried out."""
        return self.failures.by_layer[self._implementation.name]

    def _failed(self) -> Failed:
        return Failed(self.failures, self._implementation.name)

    def want(self, topic: str) -> None:
        """Make an instance of this topic if there is none, and keep it."""
        failed = self._failed()
        self._want(topic, failed)
        failed.raise_first()

    def _want(self, topic: str, failed: Failed) -> None:
        is_new = topic not in self.instances
        self.instances.want(topic)
        self._timers.start(topic)
        if is_new:
            self._tell(topic, self._suspicions.at_start(), failed)

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
        return self._step(Turn(topic, self._implementation.commanded(command), failed))

    def offer(self, topic: str, command: object) -> None:
        """Give a command to the topic's instance. Without one, a blank instance takes it if that changes nothing."""
        if topic in self.instances:
            self.command(topic, command)
            return
        turn = Turn(topic, self._implementation.commanded(command), self._failed())
        self._carry_out_blank(turn, self.instances.answer(self._around.clock.now(), topic, turn.event, keep=False))
        turn.failed.raise_first()

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
        self._timers.stop()
        self._around.transport.close()

    def crash(self) -> None:
        """Stop, and record in the trace that the node has crashed."""
        failed = self._failed()
        if not self.stopped:
            self._outlet.show(failed, lambda witness: witness.crashed(self.name))
        self.stop()
        failed.raise_first()

    def receive(self, parcel: Parcel) -> None:
        """Handle a parcel that has arrived; one that cannot be decoded, or that the sender may not say, is refused."""
        if self.stopped:
            return
        try:
            envelope = opened(parcel.written)
            if envelope.agreement != self._outlet.terms(envelope.topic).agreement:
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
            self._want(topic, failed)
            self.instances.record_opener(topic, parcel.sender)
            self._report_beginning(topic, failed)
        if topic in self.instances:
            self._conduct.leavers.hear(topic, parcel.sender, envelope.leaver)
            self._take(topic, parcel, message, failed)
        else:
            self._answer(Turn(topic, Received(message), failed, parcel, message), parcel.sender)
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
            outputs = self._step(Turn(topic, Received(admitted), failed, parcel, message))
            if disputes is not None and any(isinstance(output, Refused) for output in outputs):
                disputes.refused(topic, peer, admitted)
        elif replies is None:
            self._take_without_effect(Turn(topic, Received(message), failed, parcel))
        self._outlet.send(topic, [Send(peer, reply) for reply in replies or ()], failed)
        self._outlet.send_note(topic, peer, () if disputes is None else disputes.unsaid(topic, peer), failed)

    def _take_without_effect(self, turn: Turn) -> None:
        self._show_beginning(turn.topic, turn.failed)
        self._outlet.carry_out(turn, StepResult(self.instances.core(turn.topic), []))

    def _hear_note(self, topic: str, peer: str, keys: tuple[str, ...]) -> None:
        if self._conduct.disputes is not None and topic in self.instances:
            for _ in range(self._conduct.disputes.told(topic, peer, keys)):
                self.refusals.count(topic, DISPUTED, peer)

    def _is_theirs(self, topic: str, sender: str, message: Struct) -> bool:
        """Whether the sender may say this. A node believes itself: it gives the answers of nodes that do not exist."""
        word = self._implementation.words.get(type(message))
        if word is None or sender == self.name:
            return True
        return word.is_of(sender, self._outlet.terms(topic).contacts.get(sender), self.name, message)

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
        else:
            number, message = parcel.number, received.message
            self._outlet.show(failed, lambda witness: witness.missed(envelope.topic, to, number, message))
        if self._conduct.missing is not None and not self.stopped:
            with failed:
                self._conduct.missing(to)
        failed.raise_first()

    def _answer_for(self, core: Core, node: str, parcel: Parcel, received: Received, failed: Failed) -> None:
        """Have the core of a node that does not exist take a parcel, and send what it says."""
        topic = opened(parcel.written).topic
        self._outlet.show(failed, lambda witness: witness.gone(topic, node))
        sent = self._outlet.send(topic, core.handle(self._around.clock.now(), received), failed)

        def show(witness: StepObserver) -> None:
            witness.took(topic, Step(node, parcel.number, core.snapshot(), sent), received.message)

        self._outlet.show(failed, show)

    def _answer(self, turn: Turn, peer: str) -> None:
        """Handle a message of a topic that has no instance."""
        topic = turn.topic
        known = self.instances.know(topic)
        refused = None if known else self._conduct.refuses(topic, peer)
        answered = self.instances.answer(self._around.clock.now(), topic, turn.event, keep=refused is None)
        begins = topic in self.instances
        if begins:
            self._timers.start(topic)
            self.instances.record_opener(topic, peer)
        elif not known:
            # Not under the topic: a peer that makes up names would fill the memory with them.
            self.refusals.count(None, refused or UNKNOWN_TOPIC, peer)
        self._carry_out_blank(turn, answered)
        if begins:
            self._tell(topic, self._suspicions.at_start(), turn.failed)
        if topic in self.instances:
            self._report_beginning(topic, turn.failed)

    def _carry_out_blank(self, turn: Turn, taken: StepResult | None) -> None:
        if taken is not None and (before := taken.before) is not None:
            role = self._conduct.role
            self._outlet.show(turn.failed, lambda witness: witness.began(turn.topic, self.name, role, before))
            self._outlet.carry_out(turn, taken)

    def _step(self, turn: Turn) -> list[Output]:
        """Have an instance take a step."""
        self._show_beginning(turn.topic, turn.failed)
        taken = self.instances.take(self._around.clock.now(), turn.topic, turn.event)
        self._outlet.carry_out(turn, taken)
        return taken.outputs

    def _time_is_up(self, topic: str) -> None:
        if topic in self.instances:
            failed = self._failed()
            outputs = self._step(Turn(topic, Timeout(), failed))
            self._tell(topic, self._suspicions.after_timeout(outputs), failed)
            failed.raise_first()

    def _show_beginning(self, topic: str, failed: Failed) -> None:
        """Show the state before the first step of an instance; any later one is that after the step before."""
        if topic not in self.instances.shown:

            def show(witness: StepObserver) -> None:
                witness.began(topic, self.name, self._conduct.role, self.instances.snapshot(topic))
                self.instances.shown.add(topic)

            self._outlet.show(failed, show)

"""Checks of a pack's tables that make indexing safe: columns, ids within bounds, lengths that agree."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow.compute as pc

from gomboc.checker.core.arrow import pa
from gomboc.checker.core.errors import UsageError
from gomboc.checker.replay.pack.format import COMMAND, DELIVERY, LARGEST_ID, NONE, NULLABLE, TIMEOUT, Counts


def check_columns(path: Path, schema: pa.Schema, wanted: pa.Schema) -> None:
    """Raise UsageError unless the columns have the names and types of the format."""
    for name in wanted.names:
        if name not in schema.names:
            raise UsageError(f"{path}: the column {name!r} is missing.")
        if schema.names.count(name) > 1:
            raise UsageError(f"{path}: the column {name!r} is there twice.")
    for field in schema:
        if field.name not in wanted.names:
            raise UsageError(f"{path}: the format has no column {field.name!r}.")
        kind = wanted.field(field.name).type
        if field.type != kind:
            raise UsageError(f"{path}: the column {field.name!r} has the type {field.type}, not {kind}.")


def check_nulls(path: Path, table: pa.Table) -> None:
    """Raise UsageError if a column that must not be null holds a null."""
    for name in table.column_names:
        column = table[name]
        inside = pa.types.is_list(column.type) and name != "at" and _flat(column).null_count
        if inside or (column.null_count and name not in NULLABLE[path.name]):
            raise UsageError(f"{path}: the column {name!r} holds a null.")


def check_texts(path: Path, table: pa.Table) -> None:
    """Raise UsageError if a string is not UTF-8, or if JSON that is to be one line has a newline."""
    for name in table.column_names:
        column = table[name]
        try:
            column.validate(full=True)
        except pa.ArrowInvalid as error:
            raise UsageError(f"{path}: the column {name!r} is damaged, or holds a text that is not UTF-8.") from error
        if pa.types.is_binary(column.type):
            _none(path, table, pc.match_substring(column, "\n"), f"the text in {name!r} holds a newline")


def check_steps(path: Path, steps: pa.Table, counts: Counts) -> None:
    """Raise UsageError unless every local step, without nulls, refers to existing states and messages."""
    _within(path, steps["took"], "took", TIMEOUT, COMMAND + 1, "ways to take a step")
    _within(path, steps["before"], "before", NONE, counts.states, "states")
    _within(path, steps["after"], "after", 0, counts.states, "states")
    _within(path, steps["input"], "input", NONE, counts.messages, "messages")
    _within(path, _flat(steps["contents"]), "contents", 0, counts.messages, "messages")
    _within(path, steps["received"], "received", 0, counts.messages, "messages")
    _equally_long(path, steps, ("targets", "contents"))
    lacking = pc.and_(pc.equal(steps["took"], COMMAND), pc.less(steps["input"], 0))
    _none(path, steps, lacking, "a command has no content")
    idle = pc.and_(pc.is_valid(steps["received"]), pc.not_equal(steps["took"], DELIVERY))
    _none(path, steps, idle, "a step says what was received, and takes no message,")


def check_roles(path: Path, steps: pa.Table, states: pa.Table) -> None:
    """Raise UsageError unless every local step begins and ends in states of one role, or is an unknown node's."""
    roles = states["role"].combine_chunks().indices.fill_null(NONE).to_numpy(zero_copy_only=False)
    before, after = (steps[name].to_numpy() for name in ("before", "after"))
    held = np.append(roles, NONE)[np.where(before == NONE, len(roles), before)]
    wrong = np.zeros(0, bool) if not len(steps) else held != roles[after]
    _none(path, steps, pa.chunked_array([pa.array(wrong)]), "the states before and after are of different roles")


def check_names(path: Path, names: pa.ChunkedArray) -> None:
    """Raise UsageError if a trace's name cannot be a file name, or is the name of another trace."""
    unfit = pc.index(pc.or_(pc.equal(names, ""), pc.match_substring(names, "\0")), True).as_py()
    if unfit >= 0:
        raise UsageError(f"{path}: a trace has the name {names[unfit].as_py()!r}, which no file can have.")
    if pc.count_distinct(names).as_py() < len(names):
        again = next(count["values"] for count in pc.value_counts(names).to_pylist() if count["counts"] > 1)
        raise UsageError(f"{path}: two traces have the name {again!r}.")


def check_traces(path: Path, traces: pa.Table, steps: pa.Table, counts: Counts) -> None:
    """Raise UsageError unless every trace refers to existing states, messages and steps."""
    check_nulls(path, traces)
    check_texts(path, traces)
    check_names(path, traces["name"])
    _within(path, _flat(traces["first"]), "first", 0, counts.states, "states")
    _within(path, _flat(traces["initial_content"]), "initial_content", 0, counts.messages, "messages")
    _within(path, _flat(traces["events"]), "events", 0, counts.steps, "steps")
    _within(path, _flat(traces["claimed"]), "claimed", NONE, counts.states, "states")
    for column in ("initial", "sent"):
        _within(path, _flat(traces[column]), column, 0, LARGEST_ID + 1, "ids of messages")
    _within(path, _flat(traces["took"]), "took", NONE, LARGEST_ID + 1, "ids of messages")
    _check_times(path, _flat(traces["at"]))
    _equally_long(path, traces, ("initial", "initial_to", "initial_content"))
    _equally_long(path, traces, ("events", "took", "at", "claimed"))
    for trace in traces.to_batches():
        _check_initial_targets(path, trace)
        _check_events(path, trace, steps)


def _check_times(path: Path, times: pa.ChunkedArray) -> None:
    """Raise UsageError unless every time can stand in a line of a trace: JSON has neither infinity nor NaN."""
    index = pc.index(pc.is_finite(times), False).as_py()
    if index >= 0:
        raise UsageError(f"{path}: the column 'at' holds {times[index].as_py()}, which is no time.")


def _flat(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return pa.chunked_array([chunk.flatten() for chunk in column.chunks], type=column.type.value_type)


def _within(path: Path, values: pa.ChunkedArray, column: str, low: int, end: int, what: str) -> None:
    """Raise UsageError unless all values are at least `low` and below `end`."""
    for value in pc.min_max(values).as_py().values():
        if value is not None and not low <= value < end:
            raise UsageError(f"{path}: the column {column!r} holds {value}, and there are {end} {what}.")


def _equally_long(path: Path, table: pa.Table, columns: Iterable[str]) -> None:
    """Raise UsageError unless the lists are as long as those of the first column, in each row that has them."""
    first, *others = columns
    wanted = pc.list_value_length(table[first])
    for column in others:
        unequal = pc.not_equal(pc.list_value_length(table[column]), wanted)
        _none(path, table, unequal, f"the lists {first!r} and {column!r} are not equally long")


def _check_initial_targets(path: Path, traces: pa.RecordBatch) -> None:
    """Raise UsageError unless messages initially in flight go to a node of the trace, or to an unknown node."""
    targets = traces.column("initial_to")
    nodes = pc.list_value_length(traces.column("first")).take(pc.list_parent_indices(targets))
    _within(path, pa.chunked_array([targets.flatten()]), "initial_to", NONE, 2**31, "nodes")
    beyond = pc.any(pc.greater_equal(targets.flatten(), nodes)).as_py()
    if beyond:
        raise UsageError(f"{path}: the column 'initial_to' holds a node that its trace does not have.")


def _check_events(path: Path, traces: pa.RecordBatch, steps: pa.Table) -> None:
    """Raise UsageError unless `took` has an id exactly for deliveries, and `sent` one for each message sent."""
    events, flat = traces.column("events"), traces.column("events").flatten().to_numpy()
    delivery = steps["took"].to_numpy()[flat] == DELIVERY
    if not np.array_equal(delivery, traces.column("took").flatten().to_numpy() >= 0):
        raise UsageError(f"{path}: the column 'took' does not have an id for exactly the steps that take a message.")
    sends = pc.list_value_length(steps["targets"]).to_numpy()[flat]
    running = np.concatenate(([0], np.cumsum(sends, dtype=np.int64)))
    ends = events.offsets.to_numpy() - events.offsets[0].as_py()
    due = running[ends[1:]] - running[ends[:-1]]
    unequal = pa.array(due != pc.list_value_length(traces.column("sent")).to_numpy())
    table = pa.Table.from_batches([traces])
    _none(path, table, unequal, "the list 'sent' does not have an id for each message that the steps send")


def _none(path: Path, table: pa.Table, wrong: pa.ChunkedArray, what: str) -> None:
    """Raise UsageError with the first row for which `wrong` is true, if there is one."""
    row: int = pc.index(wrong, True).as_py()
    if row >= 0:
        where = f"trace {table['name'][row].as_py()!r}" if "name" in table.column_names else f"row {row}"
        raise UsageError(f"{path}: {what} in {where}.")

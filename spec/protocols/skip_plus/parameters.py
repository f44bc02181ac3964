"""The parameters in the header of a trace."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from gomboc.spec.types.parameters import read


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters in the header of a trace. `synchronous`: whether the system goes in rounds, as on the slides.

    `layered`: whether nodes deliver their neighbours to a layer above. `most_names`: the most names that one message
    inserts; None if there is no bound, as on the slides.
    """

    synchronous: bool = True
    layered: bool = False
    most_names: Annotated[int, msgspec.Meta(ge=1)] | None = None


def parameters_of(header: Mapping[str, Any]) -> Parameters:
    """The parameters in a header. Raises ValueError, in a sentence, for those that make no sense."""
    return read(header, Parameters, "synchronous and layered must be true or false, most_names a number from 1 on")

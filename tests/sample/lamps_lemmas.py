"""A lemma on the lamps."""

import z3
from lamps import Lamp, Tell, react

from gomboc.checker import Lemma, Obligation, Replayed, Sample, Statement
from gomboc.spec import CERTAIN, Received

RIGHT, TOLD = z3.Ints("right told")


def after(shown, told):
    return react("lamp1", Lamp(shown, ""), Received(Tell(told)), CERTAIN[0]).local.number


def becomes_right(given):
    def read(model):
        return {name: model.eval(term, True).as_long() for name, term in (("right", RIGHT), ("told", TOLD))}

    yield Obligation("a lamp that is told a number", TOLD == RIGHT, given, read)


def agrees(random):
    shown, told = random.randrange(9), random.randrange(9)
    return Sample((shown, told), told, after(shown, told))


LEMMAS = (
    Lemma(
        name="a_lamp_becomes_right",
        statement=Statement("A lamp that is told the right number shows it.", lambda: becomes_right((TOLD == RIGHT,))),
        source="lamps.py",
        ranges_over="all numbers",
        contrasts=(
            Statement(
                "... whatever it is told",
                lambda: becomes_right(()),
                holds=False,
                replay=lambda values: Replayed(values["right"], after(0, values["told"])),
            ),
        ),
        by_hand="nothing",
        leaves_out="lamps that are told nothing",
        agrees_with_spec=agrees,
        tied_to=(react,),
    ),
)

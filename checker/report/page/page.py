"""The page as text: one file that contains its style, script and data."""

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from gomboc.checker.core.phrases import counted
from gomboc.checker.report.page.section import WORST, Section, worst_of
from gomboc.checker.report.page.stills import style_of

HERE = Path(__file__).parent
SCRIPTS = ("film", "stage", "step", "states", "sequence", "search", "address", "main")
"""The parts of the script, in order."""

FAILURES = {"violated": "FAILED", "unreadable": "UNREADABLE", "unknown": "UNKNOWN"}
"""The word for each bad verdict in the title of a page."""


def page(sections: Sequence[Section], names: Sequence[str]) -> str:
    """The page with those sections, for inputs with those names."""
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    verdict = worst(sections)
    filmed = [section for section in sections if section.told.get("film")]
    numbers = {id(section): number for number, section in enumerate(filmed, 1)}
    drawn = [
        {**part.told, **_marked(part), "template": part.template, "number": numbers.get(id(part), 0)}
        for part in sections
    ]
    return environment.get_template("page.html.j2").render(
        title=_title(verdict, sections),
        verdict=verdict,
        subtitle=f"gomboc report on {', '.join(names)}: {counted(len(sections), 'section')}",
        style=Markup(style_of("colours.css") + style_of("page.css")),
        script=Markup(_script()),
        sections=drawn,
        films=bool(filmed),
    )


def worst(sections: Sequence[Section]) -> str:
    """The verdict of a page: the worst of its sections; everything holds if none of them is bad."""
    verdict = worst_of((section.verdict for section in sections), "holds")
    return verdict if verdict in WORST else "holds"


def _script() -> str:
    parts = "".join((HERE / "script" / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    return f'"use strict";\n(function () {{\n{parts}}})();\n'


def _title(verdict: str, sections: Sequence[Section]) -> str:
    """The title of a page, with the number of its bad sections, or of expected failures."""
    if verdict in FAILURES:
        noun = "trace" if all(section.template == "trace.html.j2" for section in sections) else "section"
        bad = sum(section.verdict == verdict for section in sections)
        return f"{FAILURES[verdict]}: {bad:,} of {counted(len(sections), noun)}"
    as_expected = sum(section.as_expected for section in sections)
    return (
        f"everything is as expected ({counted(as_expected, 'expected failure')})" if as_expected else "everything holds"
    )


def _marked(section: Section) -> dict[str, object]:
    """The values that are markup: pictures that we have drawn, and data in which no tag can end."""
    values = section.told
    marked: dict[str, object] = {name: Markup(values[name]) for name in ("film", "chart") if name in values}
    if "stills" in values:
        marked["stills"] = [{**still, "svg": Markup(still["svg"])} for still in values["stills"]]
    return marked

"""`gomboc errata`: settle the claims of a paper anew, and compare the results with the record."""

from collections.abc import Sequence

import click

from gomboc.checker.cli.commands import completion
from gomboc.checker.cli.document import json_document
from gomboc.checker.core.progress import progress
from gomboc.checker.errata.page import markdown, text_lines
from gomboc.checker.errata.registry import choose_claims, paper_of
from gomboc.checker.errata.settlement import Finding, settle
from gomboc.checker.judge.verdict import HOLDS, VIOLATED


@click.command("errata")
@click.argument("protocol", required=False, shell_complete=completion.papers)
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=completion.claims)
@click.option("--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True)
def command(protocol: str | None, names: tuple[str, ...], form: str) -> int:
    """Settle the claims of the paper on PROTOCOL anew, all of them or those named; without PROTOCOL, of every paper.

    Exit codes: 0 every result is the one that is recorded, 1 one differs, 2 usage.
    """
    chosen = choose_claims(protocol, names)
    findings = []
    with progress("settling claims") as report:
        for name, claim in chosen:
            findings.append(settle(name, claim))
            report(len(findings), len(chosen))
    _show(findings, names, form)
    return _code(findings)


def _code(findings: Sequence[Finding]) -> int:
    return HOLDS if all(finding.as_recorded() for finding in findings) else VIOLATED


def _show(findings: Sequence[Finding], names: tuple[str, ...], form: str) -> None:
    if form == "json":
        click.echo(json_document("errata", _code(findings), {"claims": findings}))
    elif form == "text":
        click.echo("\n".join(text_lines(findings)))
    else:
        for protocol in dict.fromkeys(finding.protocol for finding in findings):
            paper = paper_of(protocol)
            command = " ".join(("gomboc errata", protocol, *names))
            own = [finding for finding in findings if finding.protocol == protocol]
            click.echo(markdown(paper, command, own), nl=False)

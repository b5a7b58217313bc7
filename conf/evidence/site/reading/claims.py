"""The ``claim`` directive: a sentence, and under it the evidence for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from evidence.judge import expect
from evidence.judge.claim import Claim, ClaimError, make_claim, split_options
from evidence.judge.scope import ScopeError
from evidence.judge.verdict import Judgement, judge
from evidence.records.units import unit_of
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.evidence_nodes import evidence

if TYPE_CHECKING:
    from collections.abc import Callable

    from docutils.nodes import Node


class ClaimDirective(SphinxDirective):
    """A documented statement with an expectation on a measured value.

    The argument is the claim's permanent id. Its options stand in the content, where
    :func:`~evidence.judge.claim.split_options` reads them as ``verify`` does.
    """

    has_content = True
    required_arguments = 1

    def run(self) -> list[Node]:
        """Collect the claim and show it with its evidence."""
        page, line = self.env.docname, self.lineno
        options, statement, skipped = split_options(list(self.content))
        self.content, self.content_offset = (
            self.content[skipped:],
            self.content_offset + skipped,
        )
        try:
            claim = make_claim(self.arguments[0], options, statement, page, line)
            expectation = expect.parse(claim.expect, unit_of(claim.name))
        except (ClaimError, expect.ExpectationError) as error:
            evidence_of(self.env).note_problem(page, line, Kind.CLAIM, str(error))
            return []
        others = expect.references(expectation)
        domain = evidence_of(self.env)
        domain.note_claim(claim)
        domain.note_use(page, [claim.value, *others])
        domain.note_examples(
            {address.partition(".")[0] for address in (claim.value, *others)}
        )
        return [self._show(claim)]

    def _show(self, claim: Claim) -> nodes.container:
        library = evidence_of(self.env).library
        container = nodes.container(classes=["claim"], ids=[claim.id])
        labels = self.env.domains.standard_domain
        # It may stand on the page from which it moved here; if it still does, that is reported.
        labels.anonlabels.pop(claim.id, None)
        labels.note_hyperlink_target(claim.id, self.env.docname, claim.id, claim.id)
        container += self.parse_content_to_nodes()
        try:
            judgement = judge(claim, library.records, library.stale)
        except (ClaimError, ScopeError, expect.ExpectationError):
            # Reported with all the others when every page is read.
            return container
        container["classes"].append(judgement.verdict.value.replace(" ", "-"))
        container += evidence(judgement, library, self.env.docname)
        return container


class HazardDirective(SphinxDirective):
    """A pair of claims side by side: the code that goes wrong, and its fixed form."""

    has_content = True

    def run(self) -> list[Node]:
        """Show the two claims in a grid; on a phone one below the other."""
        return [nodes.container("", *self.parse_content_to_nodes(), classes=["hazard"])]


def judge_all(
    claims: list[Claim], judged: Callable[[Claim], Judgement]
) -> tuple[list[Judgement], list[tuple[Claim, str]]]:
    """Judge every claim; those that cannot be judged come back with the reason."""
    judgements, errors = [], []
    for claim in claims:
        try:
            judgements.append(judged(claim))
        except (ClaimError, ScopeError, expect.ExpectationError) as error:
            errors.append((claim, f"claim {claim.id!r}: {error}"))
    return judgements, errors

"""The ``problems`` directive: problems of one topic, in the reader's words, with their answers.

``:::{problems} Moving data`` holds a definition list. Its heading opens and closes it: on a phone
all are closed at first, so that the topics fit a screen.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from evidence.site.look.nodes import disclosure, span


class ProblemsDirective(SphinxDirective):
    """Problems of the topic that its argument names."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The heading with the number of problems, and the list."""
        (topic,), content = self.arguments, self.parse_content_to_nodes()
        listed = nodes.container("", *content).findall(nodes.definition_list_item)
        heading = nodes.rubric("", topic, **{"heading-level": 3})
        line = [heading, span(str(len([*listed])), "count")]
        about = {"classes": ["problems"], "ids": [nodes.make_id(topic)], "open": True}
        return [disclosure(line, *content, **about)]

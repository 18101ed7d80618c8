"""For the documentation site: a docstring's examples are shown as code, wherever they stand."""

import re

import griffe

EXAMPLE = re.compile(r"^>>> .*?(?=\n\n(?!>>>)|\Z)", re.MULTILINE | re.DOTALL)


class FencedExamples(griffe.Extension):
    """Puts a fence around the examples of every docstring; Markdown takes ``>>>`` for a quotation."""

    def on_object(self, *, obj: griffe.Object, **kwargs: object) -> None:  # noqa: ARG002
        """Change the docstring of an object that was just read."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", obj.docstring.value)

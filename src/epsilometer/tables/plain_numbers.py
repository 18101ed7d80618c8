"""Which texts are plain numbers: reading them as numbers changes nothing that somebody meant."""

from typing import Final

# At most 15 digits before the point: longer ones are identifiers that doubles would merge.
PLAIN_NUMBER: Final = r"[+-]?(0|[1-9][0-9]{0,14})?(\.[0-9]*)?([eE][+-]?[0-9]+)?|[+-]?(?i:nan|inf|infinity)"

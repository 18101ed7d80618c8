"""What a command's exit code says; a verdict and a crash never share one."""

from typing import Final

TARGET_MISSED: Final = 1
BAD_INPUT: Final = 2
INFEASIBLE: Final = 3
DEFECT: Final = 70
PIPE_CLOSED: Final = 141  # what a shell reports of a program that wrote into a closed pipe

"""Environments of peers that pin other versions than ours: made once by uv, and kept in .benchmarks/."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
KEPT = ROOT / ".benchmarks"


class NotInstalled(Exception):
    """A peer that cannot be installed on this machine."""


def kept_folder(name):
    """A folder for what is worth keeping from run to run; git ignores it."""
    folder = KEPT / name
    folder.mkdir(parents=True, exist_ok=True)
    (KEPT / ".gitignore").write_text("*\n", encoding="utf-8")
    return folder


def python_with(needs):
    """The interpreter of an environment with these requirements; ours without any."""
    if not needs:
        return sys.executable
    folder = kept_folder(hashlib.sha256(repr((sys.version_info[:2], needs)).encode()).hexdigest()[:16])
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        _run("venv", "--quiet", "--clear", "--python", sys.executable, str(folder))
        _run("pip", "install", "--quiet", "--compile-bytecode", "--python", str(python), *needs)
        (folder / "ready").touch()
    return str(python)


def _run(*command):
    beside_us = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
    run = subprocess.run([beside_us, *command], capture_output=True, text=True, check=False)
    if run.returncode:
        raise NotInstalled(run.stderr.strip().splitlines()[-1] if run.stderr.strip() else "uv says nothing")

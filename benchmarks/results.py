"""The results file: what was measured, and with what; no dates, no names of machines."""

import json
import os
import platform
from pathlib import Path

KEPT = Path(__file__).with_name("results.json")


def read(path=KEPT):
    """What was measured so far, by question."""
    if not path.exists():
        return {"machine": {}, "questions": {}}
    return json.loads(path.read_text(encoding="utf-8"))


def record(question, found, path=KEPT):
    """Put what was found for a question in place of what was there for the same work and size."""
    results = read(path)
    kept = [one for one in results["questions"].get(question, []) if (one["work"], one["size"]) != _key(found)]
    results["machine"] = machine()
    results["questions"][question] = [*kept, found]
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def machine():
    """What the figures depend on besides the packages."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1024**3
    return {
        "cores": os.cpu_count(),
        "memory in GB": round(memory),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def _key(found):
    return found["work"], found["size"]

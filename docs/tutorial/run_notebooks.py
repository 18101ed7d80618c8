"""Run the notebooks of the tutorial and keep what they show: python docs/tutorial/run_notebooks.py [FOLDER]."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

HERE = Path(__file__).parent
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def run(path: Path) -> nbformat.NotebookNode:
    """Return a notebook after running it in a fresh kernel; a cell that fails raises."""
    notebook = nbformat.read(path, as_version=4)
    with TemporaryDirectory() as folder:
        kernel = AsyncKernelManager(kernel_name="python3", transport="ipc", ip=f"{folder}/kernel")  # opens no port
        NotebookClient(notebook, km=kernel, timeout=600, record_timing=False).execute()
    for cell in notebook.cells:
        cell.metadata = {}
    notebook.metadata = {"language_info": {"name": "python"}, "kernelspec": KERNEL}  # no version of this machine
    return notebook


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for each in sorted(HERE.glob("*.ipynb")):
        nbformat.write(run(each), folder / each.name)

"""The notebooks run from the top, and are stored with their pictures."""

import pathlib

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "notebooks"
# Measured data, which lie beside the checkout.
TRACKS = pathlib.Path(__file__).resolve().parents[3] / "shared/realdata/sdu-xovis-uwb/raw_xovis.csv"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))


def pictures(notebook):
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return sum("image/png" in output.get("data", {}) for output in outputs)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_and_is_rendered(name, monkeypatch):
    if name == "contacts-of-real-tracks.ipynb":
        if not TRACKS.exists():
            pytest.skip("the tracks of the camera are not beside the checkout")
        monkeypatch.setenv("CORDON_TRACKS", str(TRACKS))
    notebook = nbformat.read(FOLDER / name, as_version=4)
    nbformat.validate(notebook)
    drawn = pictures(notebook)
    assert drawn >= 1, "run scripts/notebooks, which stores the outputs"
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    assert pictures(notebook) == drawn


def test_there_are_two_notebooks():
    assert len(NOTEBOOKS) == 2

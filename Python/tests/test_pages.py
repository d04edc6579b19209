"""The Python blocks of the documents run, from the top of each page."""

import os
import pathlib
import re

import matplotlib
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["docs/how-to/use-python.md"]

matplotlib.use("Agg")


@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.symlink(ROOT / "venues", tmp_path / "venues")
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 3
    names = {"__name__": page}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    # From 1.5 m to 1 m in ten seconds, then away at 0.8 m/s: at 2 m after 1.25 s more.
    assert list(names["contacts"].duration_s) == [11.25]
    assert (tmp_path / "floor.png").stat().st_size > 5_000 and (tmp_path / "contacts.parquet").is_file()

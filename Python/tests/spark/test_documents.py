"""The Python blocks of the page about Spark run."""

import pathlib
import re
import sys

import pytest

pytest.importorskip("pyspark", reason="PySpark is missing (scripts/setup --spark)")

from crowds import crowd, write

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/how-to/use-spark.md"


@pytest.mark.filterwarnings("ignore::cordon.CordonWarning")
def test_the_blocks_of_the_page_run(spark, tmp_path, monkeypatch):
    write(crowd(8, devices=6, seconds=400, venues=("Hall A",)), tmp_path / "points", parts=1)
    monkeypatch.setattr(sys, "argv", ["job.py", f"{tmp_path}/points", f"{tmp_path}/submitted"])
    names = {"__name__": "page"}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    for block in blocks:
        block = re.sub(r'"(points|contacts|again)"', rf'"{tmp_path}/\1"', block)
        block = block.replace('"venues/', f'"{ROOT}/venues/')
        exec(compile(block, "use-spark.md", "exec"), names)
    rows = spark.read.parquet(f"{tmp_path}/contacts").count()
    assert rows > 5 and spark.read.parquet(f"{tmp_path}/submitted").count() == rows == names["rows"].count()

"""The Python blocks of the page about Spark run."""

import pathlib
import re
import sys

import pytest

pytest.importorskip("pyspark", reason="PySpark is missing (scripts/setup --spark)")

from crowds import crowd, write

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/how-to/use-spark.md"


@pytest.mark.filterwarnings("ignore::cordon.CordonWarning")
def test_the_blocks_of_the_page_run(spark, tmp_path, monkeypatch):
    write(crowd(8, seconds=600), tmp_path / "points")
    monkeypatch.setattr(sys, "argv", ["job.py", f"{tmp_path}/points", f"{tmp_path}/submitted"])
    names = {"__name__": "page"}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    for block in blocks:
        block = re.sub(r'"(points|contacts|again)"', rf'"{tmp_path}/\1"', block)
        exec(compile(block, "use-spark.md", "exec"), names)
    rows = spark.read.parquet(f"{tmp_path}/contacts").count()
    assert rows > 20 and spark.read.parquet(f"{tmp_path}/submitted").count() == rows == names["rows"].count()

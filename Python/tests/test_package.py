"""The package itself: names, types, version, wheel."""

import ast
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

import cordon
from cordon import _columns, _executable, _tables

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_columns_are_those_of_the_executable():
    rows = re.findall(r"^\| `(\w+)` \| `(.*)` \|$", (ROOT / "docs/reference/input.md").read_text(), re.MULTILINE)
    assert {field: tuple(names.split("` `")) for field, names in rows} == _columns.NAMES


def test_the_version_is_that_of_the_executable():
    shown = subprocess.run([cordon.executable(), "--version"], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == cordon.__version__


def test_everything_public_is_described():
    for name in cordon.__all__:
        value = getattr(cordon, name)
        assert name == "__version__" or (value.__doc__ and len(value.__doc__) > 20), name
    for kind in (cordon.Run, cordon.Venue):
        for name, value in vars(kind).items():
            assert name.startswith("_") or not callable(value) or value.__doc__, name


def test_no_optional_package_is_imported():
    names = ["pandas", "polars", "geopandas", "networkx", "tqdm", "matplotlib", "pyspark"]
    code = f"import sys, cordon; print([name for name in {names} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ).stdout
    assert shown.strip() == "[]"


def test_the_code_needs_no_later_python_than_it_states():
    vermin = shutil.which("vermin", path=f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if vermin is None:
        pytest.skip("vermin is missing (scripts/setup --tests)")
    stated = re.search(r'requires-python = ">=(.*)"', (ROOT / "Python/pyproject.toml").read_text())[1]
    command = [vermin, "--no-tips", "--eval-annotations", f"-t={stated}-", ROOT / "Python/src"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    for path in (ROOT / "Python/src").rglob("*.py"):
        ast.parse(path.read_text(), feature_version=tuple(map(int, stated.split("."))))


@pytest.mark.parametrize("version", ["3.10", "3.13"])
def test_types_are_complete(version):
    mypy = pytest.importorskip("mypy.api")
    settings = ["--python-version", version, "--config-file", str(ROOT / "Python/pyproject.toml"), "--cache-dir", os.devnull]
    output, errors, status = mypy.run([*settings, str(ROOT / "Python/src/cordon")])
    assert status == 0, output + errors


def test_progress_lines_are_recognised():
    progress = _executable._Progress(False, ["contacts", "find"])
    assert progress.take("walking     45 %  12.3 k steps/s  3 s left")
    assert progress.take("reading     12 s")
    assert not progress.take("cordon: points.csv: 3 rows were left out")


def test_columns_of_results_are_those_of_the_help_and_code():
    source = (ROOT / "Sources/CordonCommand/Contacts/ContactRows.swift").read_text()
    listed = re.search(r"static let columns: \[TableColumn\] = \[(.*?)\n  \]", source, re.DOTALL)[1]
    assert re.findall(r'\.\w+\("(\w+)"', listed) == _tables.CONTACTS.names


@pytest.mark.skipif(sys.platform != "linux" or sys.version_info < (3, 11), reason="wheels are packed on Linux")
def test_a_wheel_holds_the_package_and_a_runnable_executable(tmp_path):
    if not any(os.access(os.path.join(folder, "patchelf"), os.X_OK) for folder in os.environ["PATH"].split(os.pathsep)):
        pytest.skip("patchelf is missing")
    # A small executable with libraries of its own stands for the real one, which takes a minute to pack.
    made = [
        subprocess.run(
            [sys.executable, ROOT / "scripts/wheel", "/bin/ls", "-o", tmp_path / str(k)],
            capture_output=True, text=True, check=True,
        ).stdout.strip()
        for k in (0, 1)
    ]  # fmt: skip
    path = pathlib.Path(made[0])
    assert path.read_bytes() == pathlib.Path(made[1]).read_bytes()
    assert re.fullmatch(rf"cordon-{re.escape(cordon.__version__)}-py3-none-manylinux_2_\d+_\w+\.whl", path.name)
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        assert wheel.testzip() is None
        for wanted in ("cordon/__init__.py", "cordon/py.typed", "cordon/bin/cordon"):
            assert wanted in names
        assert wheel.getinfo("cordon/bin/cordon").external_attr >> 16 & 0o111
        wheel.extractall(tmp_path / "site")
        record = wheel.read(next(name for name in names if name.endswith("RECORD"))).decode().splitlines()
        assert {line.split(",")[0] for line in record} == set(names)
    executable = tmp_path / "site/cordon/bin/cordon"
    executable.chmod(0o755)
    libraries = list((tmp_path / "site/cordon/bin/lib").iterdir())
    loaded = subprocess.run(["ldd", executable], capture_output=True, text=True, check=True).stdout
    assert libraries and all(f"{library}" in loaded for library in libraries)
    assert subprocess.run([executable, "/"], capture_output=True).returncode == 0


def test_importing_needs_no_more_than_pyarrow():
    program = "import sys, cordon; print([name for name in sys.modules if name.startswith(('pyarrow.', 'pandas', 'sqlite3'))])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    for name in ("pyarrow.compute", "pyarrow.parquet", "pyarrow.csv", "pyarrow.json", "pandas"):
        assert repr(name) not in done.stdout

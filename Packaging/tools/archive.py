"""Archives whose bytes depend on their contents only."""
import gzip
import hashlib
import tarfile


def files_of(folder):
    """The files below a folder, sorted by path."""
    return sorted((path for path in folder.rglob("*") if path.is_file()), key=lambda path: str(path.relative_to(folder)))


def digest(path, kind="sha256"):
    value = hashlib.new(kind)
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            value.update(block)
    return value.hexdigest()


def checksums(folder, paths):
    """The lines that `sha256sum --check` reads."""
    return "".join(f"{digest(path)}  {path.relative_to(folder)}\n" for path in paths)


def pack(folder, target, date, compression):
    """Writes a folder into a tar.gz: sorted, owned by root, with one time. `compression` is from 1 to 9."""
    partial = target.with_name(f".{target.name}.partial")
    with open(partial, "wb") as raw, gzip.GzipFile("", "wb", compression, raw, mtime=date) as stream:
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for path in [folder, *sorted(folder.rglob("*"), key=lambda path: str(path.relative_to(folder)))]:
                entry = archive.gettarinfo(path, str(path.relative_to(folder.parent)))
                entry.uid = entry.gid = 0
                entry.uname = entry.gname = "root"
                entry.mtime = date
                entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
                if entry.isfile():
                    with open(path, "rb") as file:
                        archive.addfile(entry, file)
                else:
                    archive.addfile(entry)
    partial.rename(target)

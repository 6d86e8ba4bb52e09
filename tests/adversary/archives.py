"""Damaged archives: each gives all that is in it, or is refused."""

import io
import tarfile
import zipfile
from gzip import compress

from tests.adversary.damage import damaged_bytes, refusal

from textspace.datasets._archive import gzip_lines, read_tar, read_zip, zip_names

CONTENTS = {f"a/{number}": bytes([65 + number]) * (number * 97) for number in range(12)}


def tar(folder, rng):
    file = io.BytesIO()
    form = rng.choice([tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
    with tarfile.open(fileobj=file, mode="w", format=form) as archive:
        for name, content in CONTENTS.items():
            info = tarfile.TarInfo(
                name + "x" * rng.choice([0, 0, 0, 90 if form == tarfile.USTAR_FORMAT else 150])
            )
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    path = folder / "pack.tar.gz"
    whole = file.getvalue()
    path.write_bytes(
        compress(damaged_bytes(whole, rng), 1) if rng.random() < 0.7 else damaged_bytes(compress(whole), rng)
    )
    with refusal(path):
        found = read_tar(path, max_bytes=1 << 20)
        assert len(found) >= len(CONTENTS), f"{len(found)} members came of {len(CONTENTS)}"


def zip_(folder, rng):
    file = io.BytesIO()
    method = rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in CONTENTS.items():
            archive.writestr(name, content)
    path = folder / "pack.zip"
    path.write_bytes(damaged_bytes(file.getvalue(), rng))
    with refusal(path):
        assert read_zip(path, list(CONTENTS), max_bytes=1 << 20) == list(CONTENTS.values())
    with refusal(path):
        zip_names(path)


def gzip_(folder, rng):
    path = folder / "lines.gz"
    content = b"".join(b"%d some words\n" % number for number in range(200))
    path.write_bytes(damaged_bytes(compress(content), rng))
    with refusal(path):
        lines = list(gzip_lines(path, max_bytes=1 << 20))
        assert len(lines) == 200, f"{len(lines)} lines came of 200"

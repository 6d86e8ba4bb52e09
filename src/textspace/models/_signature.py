"""Who wrote a model file: an ed25519 signature of all that is in it.

The member ``signature`` of the archive is the public key and then the signature, in 32 and 64 bytes. What is
signed are the names of all other members in their order, each with the SHA-256 of its content.
"""

import hashlib
import json

from textspace.models._archive import Memory, ModelFileError, read_member

MEMBER = "signature"
_PURPOSE = "textspace model file"  # what is signed for this is no signature of anything else
_KEY_BYTES, _SIGNATURE_BYTES = 32, 64
_BLOCK = 1 << 20  # bytes that are hashed at a time


def read_signing_key(path):
    """Read the private key by which :func:`save` signs; what is none is refused.

    Parameters
    ----------
    path : str or os.PathLike
        A PEM file, as ``openssl genpkey -algorithm ed25519 -out private.pem`` writes it.

    Returns
    -------
    cryptography.hazmat.primitives.asymmetric.ed25519.Ed25519PrivateKey

    Raises
    ------
    ValueError
        The file holds another kind of key, none, or one that a passphrase locks.

    Examples
    --------
    >>> from textspace.models import read_signing_key
    >>> key = read_signing_key("private.pem")  # doctest: +SKIP
    """
    ed25519, serialization = _cryptography()
    return _read_key(
        path,
        lambda content: serialization.load_pem_private_key(content, password=None),
        ed25519.Ed25519PrivateKey,
        "ed25519 private key that no passphrase locks",
        "make one with `openssl genpkey -algorithm ed25519 -out KEY`",
    )


def read_public_key(path):
    """Read the public key that a model must be signed by; what is none is refused with a ValueError."""
    ed25519, serialization = _cryptography()
    return _read_key(
        path,
        serialization.load_pem_public_key,
        ed25519.Ed25519PublicKey,
        "ed25519 public key",
        "write that of a private key with `openssl pkey -in KEY -pubout -out PUBLIC`",
    )


def sign_archive(archive, key):
    """Put the signature of all members so far into an archive."""
    archive.writestr(MEMBER, key.public_key().public_bytes_raw() + key.sign(_content(archive)))


def verify_archive(archive, key, path, size):
    """Refuse an archive, a file of a size, that the owner of a public key has not signed as it is."""
    from cryptography.exceptions import InvalidSignature

    if MEMBER not in archive.namelist():
        raise ModelFileError(
            f"{path} was not opened: it is not signed. Ask who made it for one of `textspace train --sign`."
        )
    if archive.getinfo(MEMBER).file_size != _KEY_BYTES + _SIGNATURE_BYTES:
        raise ModelFileError(f"{path} was not opened: its signature is none. Get it anew.")
    found = read_member(archive, MEMBER)
    if found[:_KEY_BYTES] != key.public_bytes_raw():
        raise ModelFileError(
            f"{path} was not opened: it is signed by another key. Give the public key of who made it, or get "
            "the file from whose key this is."
        )
    # members may share their bytes: to hash them takes no longer than to read a model
    Memory(path, size).take(sum(member.file_size for member in archive.infolist()))
    try:
        key.verify(found[_KEY_BYTES:], _content(archive))
    except InvalidSignature:
        raise ModelFileError(
            f"{path} was not opened: what is in it is not what was signed, so it has changed since. Get it "
            "anew."
        ) from None


def _content(archive):
    """Give what is signed; no member is ever in memory as a whole."""
    digests = []
    for member in archive.infolist():
        if member.filename != MEMBER:
            digest = hashlib.sha256()
            with archive.open(member) as file:
                while block := file.read(_BLOCK):
                    digest.update(block)
            digests.append([member.filename, digest.hexdigest()])
    return json.dumps([_PURPOSE, digests]).encode("ascii")


def _read_key(path, read, kind, what, remedy):
    try:
        with open(path, "rb") as file:
            content = file.read(_BLOCK)
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no key file {path}: {remedy}.") from None
    try:
        key = read(content)
    except Exception:  # the library raises whatever the bytes lead it to
        key = None
    if not isinstance(key, kind):
        raise ValueError(f"{path} holds no {what}: {remedy}.")
    return key


def _cryptography():
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise ImportError('signatures need cryptography: pip install "textspace[sign]".') from error
    return ed25519, serialization

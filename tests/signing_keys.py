"""Pairs of keys, as openssl writes them."""

from typing import NamedTuple

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PrivateFormat, PublicFormat


class Keys(NamedTuple):
    """Files of a private and a public key."""

    private: object
    public: object


def write_keys(folder, key=None, passphrase=None):
    """Write a pair of keys, by default a new one for ed25519, into a folder that may be new."""
    key = key or Ed25519PrivateKey.generate()
    lock = serialization.NoEncryption()
    if passphrase is not None:
        lock = serialization.BestAvailableEncryption(passphrase)
    folder.mkdir(exist_ok=True)
    written = Keys(folder / "private.pem", folder / "public.pem")
    written.private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock))
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    written.public.write_bytes(public)
    return written

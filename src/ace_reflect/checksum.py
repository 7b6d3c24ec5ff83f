"""
A number that tells texts apart.

A remainder of the text as one large number: `hashlib` costs a hook 4 ms, `zlib` half of one, and this is arithmetic that
the interpreter has anyway. It is no proof of anything; nobody gains by forging one.
"""

SHORT = 4_294_967_291  # the largest prime below 2**32: such numbers travel in every cursor
LONG = (1 << 89) - 1


def checksum(data: bytes, prime: int = SHORT) -> int:
    """A number below `prime`, the same on every machine."""
    return int.from_bytes(data + b"\x01", "little") % prime

"""What the formats of fresh.py are read and written with."""

import hashlib
import struct

from counted import need


class Reader:
    """Bytes from front to back; take refuses to go beyond the end, end refuses what is left over."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, n):
        need(0 <= n <= len(self.data) - self.at)
        self.at += n
        return self.data[self.at - n : self.at]

    def of(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))

    def number(self):
        """LEB128, without needless bytes."""
        value = shift = 0
        while True:
            (byte,) = self.take(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                need(byte or shift == 7)
                return value

    def line(self, end=b"\n"):
        stop = self.data.find(end, self.at)
        need(stop >= 0)
        return self.take(stop + len(end) - self.at)[: -len(end)]

    def zeros(self, unit, base=0):
        need(not any(self.take(-(self.at - base) % unit)))

    def more(self):
        return self.at < len(self.data)

    def end(self):
        need(not self.more())


def tiles(spans, begin, limit):
    """SPANS (place, length), in whatever order, fill BEGIN to LIMIT without hole or overlap."""
    for place, length in sorted(spans):
        need(place == begin)
        begin += length
    need(begin == limit)


def varint(n):
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)


def crc_reflected(data, polynomial):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (polynomial if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def crc32c(data):
    return crc_reflected(data, 0x82F63B78)


def crc16(data):
    """CCITT, from 0xFFFF."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc


def fletcher16(data):
    low = high = 0
    for byte in data:
        low = (low + byte) % 255
        high = (high + low) % 255
    return high << 8 | low


def fnv(name):
    value = 0x811C9DC5
    for byte in name:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def md5(data):
    return hashlib.md5(data).digest()


def sha256(data):
    return hashlib.sha256(data).digest()

import Glibc

// Tests compare whole files. Unoptimized, the standard library's comparison asks a witness about every
// byte, a second for 40 MiB; these are compiled here, where things are fast, and chosen wherever bytes
// are compared, because they are the more special ones.

/// Returns whether these are the same bytes.
public func == (first: [UInt8], second: [UInt8]) -> Bool {
    first.withUnsafeBytes { first in second.withUnsafeBytes { isSame(first, $0) } }
}

/// Returns whether these are the same bytes.
public func == (first: ArraySlice<UInt8>, second: ArraySlice<UInt8>) -> Bool {
    first.withUnsafeBytes { first in second.withUnsafeBytes { isSame(first, $0) } }
}

private func isSame(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
    guard first.count == second.count else { return false }
    guard let start = first.baseAddress, let other = second.baseAddress else { return true }
    return memcmp(start, other, first.count) == 0
}

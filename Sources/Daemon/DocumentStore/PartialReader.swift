import Glibc

/// Reads a file from an offset in pieces that fit a processor's cache.
enum PartialReader {
    /// The error of a failed read, with its errno.
    struct Failure: Error {
        var number: CInt
    }

    private static let largest: Int64 = 256 * 1024

    /// Passes on the bytes up to `end` or the end of the file, whichever comes first; returns the offset
    /// reached.
    @discardableResult
    static func read(
        _ file: CInt,
        from start: Int64,
        to end: Int64 = .max,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(Failure) -> Int64 {
        // No larger than needed, because getting new memory takes longer than reading a small file.
        let size = Int(min(largest, max(1, end - start)))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        var offset = start
        while offset < end {
            let wanted = Int(min(Int64(size), end - offset))
            let count = pread(file, buffer.baseAddress, wanted, off_t(offset))
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(number: errno)
            }
            if count == 0 { break }
            body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
        return offset
    }
}

import Glibc

/// Reads a file from one offset on, in pieces that suit a processor's cache.
enum PartialReader {
    /// The system didn't let the file be read; carries its errno.
    struct Failure: Error {
        var number: CInt
    }

    private static let largest: Int64 = 256 * 1024

    /// Hands over the bytes up to `end`, or to the end of the file if that comes first; returns where it was.
    @discardableResult
    static func read(
        _ file: CInt,
        from start: Int64,
        to end: Int64 = .max,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(Failure) -> Int64 {
        // No larger than is needed: memory that is new to the process is slower to get than a small file to read.
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

import Glibc

/// Reads of an open file at any place, without moving its position.
struct FileBytes {
    let descriptor: Int32

    /// Returns so many bytes from an offset on, or fewer at the file's end.
    func part(_ offset: Int, _ count: Int) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, offset))
        }
    }

    /// The length of the file in bytes; 0 if nobody can tell.
    var length: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? max(0, Int(status.st_size)) : 0
    }
}

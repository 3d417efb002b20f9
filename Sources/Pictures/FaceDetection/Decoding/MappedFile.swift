import CPictures
import Glibc

/// A file's bytes in memory, of which nothing takes room but what is changed.
struct MappedFile: ~Copyable {
    /// The bytes; changing them changes no file.
    let bytes: UnsafeMutableRawBufferPointer

    /// Maps an open file, or so many bytes of its beginning; nil if that can't be done, or it is empty.
    init?(_ file: FileBytes, length: Int? = nil) {
        let length = min(length ?? file.length, file.length)
        guard length > 0,
            let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.descriptor, 0),
            start != MAP_FAILED
        else { return nil }
        bytes = UnsafeMutableRawBufferPointer(start: start, count: length)
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }

    /// Replaces bytes, as far as they are inside.
    func change(_ patches: [HEIFRepair.Patch]) {
        for patch in patches where patch.offset >= 0 && patch.offset + patch.bytes.count <= bytes.count {
            for (index, byte) in patch.bytes.enumerated() { bytes[patch.offset + index] = byte }
        }
    }

    /// Gives the bytes to libvips, which frees them; nil if it can't take them.
    consuming func source() -> UnsafeMutablePointer<VipsSource>? {
        let bytes = bytes
        discard self
        guard let start = bytes.baseAddress else { return nil }
        return CVips_source_of_map(start, bytes.count)
    }
}

import CZlib
import Testing

/// Compresses what tests need compressed.
enum Compressed {
    static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        let began = deflateInit2_(
            &stream,
            9,
            Z_DEFLATED,
            16 + MAX_WBITS,
            9,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        try #require(began == Z_OK)
        var input = bytes
        var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 1000 + 1024)
        let count = output.count
        let produced = input.withUnsafeMutableBufferPointer { from in
            output.withUnsafeMutableBufferPointer { to in
                stream.next_in = from.baseAddress
                stream.avail_in = UInt32(from.count)
                stream.next_out = to.baseAddress
                stream.avail_out = UInt32(count)
                #expect(deflate(&stream, Z_FINISH) == Z_STREAM_END)
                return count - Int(stream.avail_out)
            }
        }
        deflateEnd(&stream)
        return Array(output.prefix(produced))
    }
}

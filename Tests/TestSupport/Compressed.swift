import CZlib

/// Compresses what tests need compressed.
public enum Compressed {
    /// zlib could not do it.
    public struct Failure: Error {
        /// Its code.
        public let code: Int32
    }

    /// The bytes as a file of gzip's, as small as it gets.
    public static func gzip(_ bytes: [UInt8]) throws -> [UInt8] { try compress(bytes, 16 + MAX_WBITS) }

    /// The bytes in zlib's wrapping, as `deflate` should be.
    public static func zlib(_ bytes: [UInt8]) throws -> [UInt8] { try compress(bytes, MAX_WBITS) }

    /// The bytes without any wrapping, as many send `deflate`.
    public static func bare(_ bytes: [UInt8]) throws -> [UInt8] { try compress(bytes, -MAX_WBITS) }

    private static func compress(_ bytes: [UInt8], _ window: Int32) throws -> [UInt8] {
        var stream = z_stream()
        let began = deflateInit2_(
            &stream,
            9,
            Z_DEFLATED,
            window,
            9,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        guard began == Z_OK else { throw Failure(code: began) }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 1000 + 1024)
        let count = output.count
        let produced = try input.withUnsafeMutableBufferPointer { from in
            try output.withUnsafeMutableBufferPointer { to in
                stream.next_in = from.baseAddress
                stream.avail_in = UInt32(from.count)
                stream.next_out = to.baseAddress
                stream.avail_out = UInt32(count)
                let ended = deflate(&stream, Z_FINISH)
                guard ended == Z_STREAM_END else { throw Failure(code: ended) }
                return count - Int(stream.avail_out)
            }
        }
        return Array(output.prefix(produced))
    }
}

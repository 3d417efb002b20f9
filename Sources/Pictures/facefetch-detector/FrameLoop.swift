import Confinement
import DetectorProtocol
import Glibc
import Vocabulary

/// Answers requests on standard input, one at a time, until that closes.
enum FrameLoop {
    /// Reads requests and writes what `answer` makes of each, which ends early if nobody reads it.
    ///
    /// - Throws: ``FrameError`` for what isn't a request, and whatever `answer` throws.
    static func run<Request: Decodable>(
        _ kind: Request.Type,
        output: Int32,
        answer: (Request) throws -> [[UInt8]]
    ) throws {
        var decoder = FrameDecoder()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            while let request = try decoder.next(kind) {
                for bytes in try answer(request) where !Streams.write(bytes, to: output) { return }
            }
            let bytes = Streams.read(from: STDIN_FILENO, into: &buffer)
            guard !bytes.isEmpty else { break }
            decoder.append(bytes)
        }
        guard decoder.isBetweenMessages else { throw FrameError.truncated }
    }
}

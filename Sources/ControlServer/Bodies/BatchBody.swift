import ControlAPI
import Crypto
import JobCore

/// What was read of the body of a post to the batches.
enum BatchBody: Sendable {
    /// The items, and a digest of the body where a key came with it.
    case items([NewJob], digest: String?)
    /// The answer that says what is wrong; long where many items are.
    case refused(Reply)

    /// A body so small that it is read where it is answered, and that waits for nobody, in bytes.
    static let smallSize = 4 << 10

    /// Reads a body.
    static func read(_ body: [UInt8], withDigest: Bool) -> BatchBody {
        do throws(ProblemJSON) {
            return .items(try BatchReader.read(body), digest: withDigest ? digest(of: body) : nil)
        } catch {
            return .refused(.problem(error))
        }
    }

    private static func digest(of body: [UInt8]) -> String {
        var hash = SHA256()
        body.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}

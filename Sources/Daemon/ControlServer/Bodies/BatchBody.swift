import ControlAPI
import Digests
import JobModel
import Vocabulary

/// The result of reading a submitted batch's body.
enum BatchBody: Sendable {
    /// The batch, with a digest of the body if the request has a key.
    case batch(BatchReader.Batch, digest: String?)
    /// The answer that says what is wrong, which is long if many items are.
    case refused(Reply)

    /// The size in bytes up to which a body is read in place, without waiting for room or for the body
    /// thread.
    static let smallSize = 4 << 10

    /// Returns the most memory that a body of this many bytes takes together with the items made of it.
    ///
    /// The smallest item has 18 bytes and takes 220.
    static func memory(ofBody size: Int) -> Int { size + min(15 * size, largestItems) }

    /// The memory of as many items as a batch may have, each with as many header fields as it may have.
    private static let largestItems = 96 << 20

    /// Reads a body.
    static func read(_ body: [UInt8], withDigest: Bool) -> BatchBody {
        do throws(ProblemJSON) {
            return .batch(try BatchReader.read(body), digest: withDigest ? digest(of: body) : nil)
        } catch {
            return .refused(.problem(error))
        }
    }

    private static func digest(of body: [UInt8]) -> String {
        var hash = SHA256()
        body.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().hexText
    }
}

import JobModel
import Vocabulary

/// The names given to documents that aren't published yet, in case many want the same: `name.jpg`,
/// `name (2).jpg` and so on.
///
/// A name given to one document is given to no other while the first is not published, so that
/// simultaneous documents needn't race for one. The directory is always asked as well, and the rename
/// has the last word, so everything kept here may be forgotten at any time.
struct NameClaims: Sendable {
    private struct Claim: Sendable {
        /// The path of the name that was wanted, in the documents directory.
        var wanted: String
        var number: Int
        var name: String
        /// The path of the name.
        var path: String
    }

    private var claims: [JobID: Claim] = [:]
    private var claimed: Set<String> = []
    /// The next number to try, for names that many want.
    private var next: [String: Int] = [:]

    /// The most claims, and the most numbers, kept.
    static let capacity = 10_000
    /// The quantity of numbers tried one after another, before going by leaps.
    static let walked = 8

    init() {}

    /// Returns the wanted name, or one like it, that is neither taken in a folder nor claimed for another job.
    ///
    /// A name that the job was given before is given again if it is still free.
    ///
    /// - Parameter isTaken: Returns whether there is something with a path in the documents directory.
    mutating func claim(
        _ name: String,
        in folder: DocumentFolder = DocumentFolder(),
        for job: JobID,
        isTaken: (_ path: String) -> Bool
    ) -> String {
        let wanted = folder.placing(name)
        if let claim = claims[job], claim.wanted == wanted, !isTaken(claim.path) { return claim.name }
        release(job)
        func isFree(_ number: Int) -> Bool {
            let path = folder.placing(DocumentName.numbered(name, number))
            return !claimed.contains(path) && !isTaken(path)
        }
        let number = Self.firstFree(from: next[wanted] ?? 1, isFree)
        let given = DocumentName.numbered(name, number)
        keep(Claim(wanted: wanted, number: number, name: given, path: folder.placing(given)), of: job)
        if next.count >= Self.capacity, next[wanted] == nil { next = [:] }
        next[wanted] = number + 1
        return given
    }

    /// Restores the name given to a job by an earlier run of the daemon.
    mutating func restore(_ name: String, in folder: DocumentFolder = DocumentFolder(), of job: JobID) {
        let path = folder.placing(name)
        keep(Claim(wanted: path, number: 1, name: name, path: path), of: job)
    }

    /// Forgets a job's claim, because its document has the name or never will.
    mutating func release(_ job: JobID) {
        guard let claim = claims.removeValue(forKey: job) else { return }
        claimed.remove(claim.path)
    }

    /// Forgets a job's claim, so that the next job that wants the name gets it.
    mutating func abandon(_ job: JobID) {
        guard let claim = claims[job] else { return }
        release(job)
        if let number = next[claim.wanted] { next[claim.wanted] = min(number, claim.number) }
    }

    private mutating func keep(_ claim: Claim, of job: JobID) {
        release(job)
        if claims.count >= Self.capacity { (claims, claimed) = ([:], []) }
        claims[job] = claim
        claimed.insert(claim.path)
    }

    /// Returns a free number: the first one from `start` within a few, or else one after a taken number,
    /// found in logarithmic time.
    private static func firstFree(from start: Int, _ isFree: (Int) -> Bool) -> Int {
        var (taken, number) = (start - 1, start)
        while !isFree(number) {
            taken = number
            // If a file system claims to have every name, the rename will fail.
            guard number < 1 << 40 else { return number }
            number = number < start + walked ? number + 1 : number + 2 * (number - start)
        }
        while number - taken > 1 {
            let middle = taken + (number - taken) / 2
            if isFree(middle) { number = middle } else { taken = middle }
        }
        return number
    }
}

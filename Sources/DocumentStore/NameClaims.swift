import JobCore

/// The names that documents on their way were given, where many want the same: `name.jpg`, `name (2).jpg`
/// and so on.
///
/// A name that was given to one document is given to no other while that is on its way, so that
/// documents which come together needn't race for one. What there is in the directory is always asked
/// for, and the rename has the last word: all that is kept here may be forgotten at any time.
struct NameClaims: Sendable {
    private struct Claim: Sendable {
        var wanted: String
        var number: Int
        var name: String
    }

    private var claims: [JobID: Claim] = [:]
    private var claimed: Set<String> = []
    /// The number after the last that was given, of names that many want.
    private var next: [String: Int] = [:]

    /// How many claims, and how many numbers, are kept at the most.
    static let capacity = 10_000
    /// Numbers that are tried one after the other; past them it goes by leaps.
    static let walked = 8

    /// Nobody has claimed anything.
    init() {}

    /// Gives a job the name that it wants, or one like it, which neither `isTaken` nor anybody on the way.
    ///
    /// The name that the job was given before is given again where it is still free.
    mutating func claim(_ wanted: String, for job: JobID, isTaken: (String) -> Bool) -> String {
        if let claim = claims[job], claim.wanted == wanted, !isTaken(claim.name) { return claim.name }
        release(job)
        func isFree(_ number: Int) -> Bool {
            let name = DocumentName.numbered(wanted, number)
            return !claimed.contains(name) && !isTaken(name)
        }
        let number = Self.firstFree(from: next[wanted] ?? 1, isFree)
        keep(Claim(wanted: wanted, number: number, name: DocumentName.numbered(wanted, number)), of: job)
        if next.count >= Self.capacity, next[wanted] == nil { next = [:] }
        next[wanted] = number + 1
        return DocumentName.numbered(wanted, number)
    }

    /// Takes note of a name that a job was given by an earlier run of the daemon.
    mutating func restore(_ name: String, of job: JobID) {
        keep(Claim(wanted: name, number: 1, name: name), of: job)
    }

    /// Forgets a job's claim: its document stands under the name, or never will.
    mutating func release(_ job: JobID) {
        guard let claim = claims.removeValue(forKey: job) else { return }
        claimed.remove(claim.name)
    }

    /// Forgets a job's claim, and has the name given to the next who wants it.
    mutating func abandon(_ job: JobID) {
        guard let claim = claims[job] else { return }
        release(job)
        if let number = next[claim.wanted] { next[claim.wanted] = min(number, claim.number) }
    }

    private mutating func keep(_ claim: Claim, of job: JobID) {
        release(job)
        if claims.count >= Self.capacity { (claims, claimed) = ([:], []) }
        claims[job] = claim
        claimed.insert(claim.name)
    }

    /// A free number: the first from `start` on among some, and past those one behind a taken one, found
    /// in logarithmically many tries.
    private static func firstFree(from start: Int, _ isFree: (Int) -> Bool) -> Int {
        var (taken, number) = (start - 1, start)
        while !isFree(number) {
            taken = number
            // A file system that says it has whatever it is asked for is left to refuse the rename.
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

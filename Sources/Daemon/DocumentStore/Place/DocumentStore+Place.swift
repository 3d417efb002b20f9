import Glibc

/// The directories, and what their disks bear.
extension DocumentStore {
    /// Returns the bytes that an ordinary user can still write to the documents' disk; nil if unknown.
    public func freeBytes() -> Int64? {
        var status = statvfs()
        guard fstatvfs(documents.descriptor, &status) == 0 else { return nil }
        return Int64(status.f_bavail) * Int64(status.f_frsize)
    }

    /// Returns why nothing may be stored now, by looking where the paths of the directories lead; nil if all is
    /// well.
    public func obstacle() -> String? { place.trouble }

    /// Does the same, and opens what has taken the directories' places, where that can be used.
    public func findAgain() -> String? {
        let trouble = place.findAgain()
        // Whoever is kept by a disk that is no longer there may be for good.
        writingTrial.giveUp(before: place.generation)
        return trouble
    }

    /// Tries on a thread of its own whether anything can be written to the directories, unless that is being tried
    /// already, and isn't to be tried `anew` beside that; what only lacks room can be.
    public func tryWriting(anew: Bool) { writingTrial.begin(generation: place.generation, anew: anew) }

    /// The sentence about a try to write that doesn't come back.
    public var silence: String { writingTrial.silence }

    /// Returns whether a documents directory refuses to be opened, made or written to in a way that may pass by itself.
    ///
    /// That takes as long as its disk takes to answer.
    public static func isRefused(documentsDirectory path: String) -> Bool {
        do throws(DocumentStoreError) {
            return Probe.refusal(of: try Directory(creating: path, mode: 0o755)) != nil
        } catch {
            if case .refuses = error { return true }
            return false
        }
    }

    /// The number of times that another directory of partials has taken the place of the one before.
    public var partialsGeneration: Int { place.partialsGeneration }
}

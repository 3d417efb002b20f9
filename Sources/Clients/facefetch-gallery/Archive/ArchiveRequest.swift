import Vocabulary

/// What an archive is asked for: the documents of these jobs, in this order.
enum ArchiveRequest {
    /// The path under which archives are asked for.
    static let path = "/pictures.zip"
    /// The most jobs of one archive, as many as the daemon tells of at once.
    static let most = 500

    /// The jobs that a target names, as `ids=1,2,3`; nil where it says anything else.
    static func jobs(in target: String) -> [Int64]? {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("ids=") else { return nil }
        let words = PercentEncoding.decode(parts[1].dropFirst(4), isForm: true)
            .split(separator: ",", omittingEmptySubsequences: false)
        guard words.count <= most else { return nil }
        var jobs: [Int64] = []
        for word in words {
            guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let job = Int64(word), job > 0 else {
                return nil
            }
            if !jobs.contains(job) { jobs.append(job) }
        }
        return jobs
    }
}

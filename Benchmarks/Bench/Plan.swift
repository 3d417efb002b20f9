import Foundation

/// A plan of what is measured, and how much of it; everything can be made smaller for a quick look.
struct Plan {
    /// Pairs of runs for each row.
    var runs = 5
    /// Pairs with the Python loop, which takes minutes each; as many as others unless told otherwise.
    var loops = 5
    /// Small files of one batch.
    var files = 10_000
    /// Files from a host that asks to wait, 60 every two seconds.
    var polite = 1800
    /// Small files that are stored in folders.
    var foldered = 20_000
    /// Size of the large file, in MiB.
    var largeMiB = 2048
    /// Size of the file that comes from a slow server, in MiB.
    var slowMiB = 1024
    /// Size of the file from the other end of a long line with losses, in MB.
    var farMB = 200
    /// The congestion control of the server at the far end of a line (tcp(7)); nil for the kernel's own.
    var congestion: String?
    /// Jobs of the long queue.
    var queued = 100_000
    /// Jobs of the longest queue, and of the most documents that wait to be looked at; all of them are steered.
    var million = 1_000_000
    /// Jobs of a long export.
    var exported = 1_000_000
    /// Pictures that are copied.
    var copied = 10_000
    /// Documents with fingerprints.
    var likened = 1_000_000
    /// Items of the paged list, 250 a page.
    var listed = 50_000
    /// Rows of the long list.
    var rows = 1_000_000
    /// Pictures of the row about downloading and detecting at the same time.
    var overlapping = 200
    /// Pictures of each size that are looked at beside pyvips.
    var looked = 200
    /// The folder of labelled photographs that pictures with faces are made from.
    let photographs: String
    /// The folder on a real disk, below which files are stored that are measured there.
    let disk: String
    /// Rows to measure.
    var only: Set<String>

    static var all: [any Measure.Type] {
        [
            SmallFiles.self, FilesOnDisk.self, EqualNames.self, FilesInFolders.self, PoliteFetches.self,
            LargeFile.self, SlowServer.self, FarFiles.self, Pauses.self, ProcessorTime.self,
            LongQueue.self, MillionJobs.self, SteeredJobs.self, SourceSpeed.self, Subscribers.self,
            TextByHand.self, FaceSpeed.self, ShrinkingLoop.self, GiantPicture.self, Thumbnails.self,
            Overlap.self,
            Exports.self, Fingerprints.self, Searches.self, Copies.self, DeadReceiver.self, DeadHosts.self,
        ]
    }

    init(environment: [String: String]) throws(BenchError) {
        photographs = environment["FACEFETCH_PHOTOS"] ?? "../shared/photos"
        disk = environment["DISK"] ?? ".build/bench-disk"
        let names = Self.all.map { $0.name }
        only = Set(environment["ONLY"].map { $0.split(separator: ",").map(String.init) } ?? names)
        if let stranger = only.subtracting(names).first {
            throw .usage("ONLY has \(stranger), and can have \(names.joined(separator: ", "))")
        }
        try Self.read("RUNS", environment, into: &runs)
        loops = runs
        try Self.read("LOOPS", environment, into: &loops)
        try Self.read("FILES", environment, into: &files)
        try Self.read("POLITE", environment, into: &polite)
        try Self.read("FOLDERED", environment, into: &foldered)
        try Self.read("LARGE_MIB", environment, into: &largeMiB)
        try Self.read("SLOW_MIB", environment, into: &slowMiB)
        try Self.read("FAR_MB", environment, into: &farMB)
        congestion = environment["CONGESTION"]
        try Self.read("QUEUED", environment, into: &queued)
        try Self.read("MILLION", environment, into: &million)
        try Self.read("EXPORTED", environment, into: &exported)
        try Self.read("LIKENED", environment, into: &likened)
        try Self.read("COPIED", environment, into: &copied)
        try Self.read("LISTED", environment, into: &listed)
        try Self.read("ROWS", environment, into: &rows)
        try Self.read("OVERLAPPING", environment, into: &overlapping)
        try Self.read("LOOKED", environment, into: &looked)
    }

    var measures: [any Measure] {
        Self.all.filter { only.contains($0.name) }.map { $0.init(plan: self) }
    }

    /// The heading of the table: its subject, and the machine.
    var heading: String {
        """
        \(runs) pairs of runs a row, \(ProcessInfo.processInfo.activeProcessorCount) processors, memory disk \
        but where another is named, detection held but where it is measured, release build.

        """
    }

    private static func read(
        _ name: String,
        _ environment: [String: String],
        into value: inout Int
    ) throws(BenchError) {
        guard let text = environment[name] else { return }
        guard let number = Int(text), number > 0 else {
            throw .usage("\(name) is \(text), and has to be a number above 0")
        }
        value = number
    }
}

/// One piece of work that is measured, for one row of the table or more.
protocol Measure {
    /// The name that ONLY calls it by.
    static var name: String { get }
    init(plan: Plan)
    func run(_ workshop: Workshop) throws -> [Row]
}

/// The reason why something can't be measured.
enum BenchError: Error, CustomStringConvertible {
    /// The environment asks for what can't be done.
    case usage(String)
    /// Something did not do what it was asked to.
    case failed(String)

    var description: String {
        switch self {
        case .usage(let words), .failed(let words): words
        }
    }
}

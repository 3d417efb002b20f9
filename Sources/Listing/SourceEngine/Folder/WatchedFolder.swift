import JobEngine
import JobModel
import Logging
import Synchronization

/// Adds the lists, and applies the recipes, that people and programs put into a folder.
public final class WatchedFolder: Sendable {
    private struct State {
        var directory: String?
        var run: Task<Void, Never>?
        var hasEnded = false
    }

    private let parts: WatchedFolderParts
    private let state = Mutex(State())

    /// Runs everything at once.
    public static let always: @Sendable (_ body: () -> Void) -> Bool = { body in
        body()
        return true
    }

    /// Creates a part that watches nothing yet.
    ///
    /// Copies of lists leave `reserve` bytes free on their disk, and are written where `mayWrite` runs what it is
    /// given: a list whose copy may not be written waits.
    public init(
        control: any FeedControl,
        sources: any SourceControl,
        reader: any ReaderPort,
        configuration: WatchedFolderConfiguration,
        reserve: @escaping @Sendable () -> Int64 = { 0 },
        mayWrite: @escaping @Sendable (_ body: () -> Void) -> Bool = WatchedFolder.always,
        now: @escaping @Sendable () -> Moment,
        logger: Logger
    ) {
        parts = WatchedFolderParts(
            control: control,
            sources: sources,
            reader: reader,
            configuration: configuration,
            room: CopyRoom(reserve: reserve, mayWrite: mayWrite),
            now: now,
            logger: logger
        )
    }

    /// Watches this folder from now on, and no other; nil for none.
    public func configure(directory: String?) {
        state.withLock { state in
            guard !state.hasEnded, directory != state.directory else { return }
            state.directory = directory
            let before = state.run
            before?.cancel()
            let parts = parts
            state.run = Task {
                // What that was doing is done or left as it can be taken up.
                await before?.value
                guard let directory else { return }
                await FolderRun(directory: directory, parts: parts).run()
            }
        }
    }

    /// Ends it; what was taken and isn't done is taken up by the next run of the daemon.
    public func stop() async {
        let run = state.withLock { state in
            state.hasEnded = true
            return state.run
        }
        run?.cancel()
        await run?.value
    }
}

/// The parts that a watched folder works with.
struct WatchedFolderParts: Sendable {
    var control: any FeedControl
    var sources: any SourceControl
    var reader: any ReaderPort
    var configuration: WatchedFolderConfiguration
    var room: CopyRoom
    var now: @Sendable () -> Moment
    var logger: Logger
}

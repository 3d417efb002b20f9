import Dispatch
import Glibc
import Synchronization

/// Tells of changes in a folder (inotify(7)), as far as its file system does.
final class FolderChanges: Sendable {
    // Kept alive for its events.
    private let source: Mutex<any DispatchSourceRead>

    private static let kinds =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR

    /// Begins to call `tell` with each change of a folder; nil if the kernel has no room for that.
    init?(of path: String, tell: @escaping @Sendable () -> Void) {
        let changes = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard changes >= 0 else { return nil }
        guard inotify_add_watch(changes, path, UInt32(Self.kinds)) >= 0 else {
            close(changes)
            return nil
        }
        let queue = DispatchQueue(label: "facefetch.watch.changes")
        let source = DispatchSource.makeReadSource(fileDescriptor: changes, queue: queue)
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            while read(changes, &buffer, buffer.count) > 0 {}
            tell()
        }
        source.setCancelHandler { close(changes) }
        source.activate()
        self.source = Mutex(source)
    }

    deinit { source.withLock { $0.cancel() } }
}

import JobCore
import Synchronization

/// The sources in the store whose recipes no reader could read yet, through no fault of theirs.
///
/// Their names stay taken meanwhile. A recipe of such a name would be a new source, for which all that the
/// old one knows would be fetched again.
final class UnreadSources: Sendable {
    private let rows = Mutex<[String: SourceRow]>([:])

    /// True if there are none.
    var isEmpty: Bool { rows.withLock { $0.isEmpty } }

    /// The sources, with their names.
    var all: [(name: String, row: SourceRow)] { rows.withLock { $0.map { ($0.key, $0.value) } } }

    /// Returns whether a name is that of such a source.
    func contains(_ name: String) -> Bool { rows.withLock { $0[name] != nil } }

    /// Notes a source whose recipe can't be read now.
    func add(_ row: SourceRow, _ name: String) { rows.withLock { $0[name] = row } }

    /// Forgets a source whose recipe has been read, or can't ever be.
    func remove(_ name: String) { rows.withLock { $0[name] = nil } }
}

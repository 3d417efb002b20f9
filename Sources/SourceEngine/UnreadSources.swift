import JobCore
import Synchronization

/// The sources in the store whose recipes could not be read: yet, through no fault of theirs, or because this
/// version refuses them.
///
/// Their names stay taken meanwhile. A recipe of such a name would be a new source, for which all that the
/// old one knows would be fetched again.
final class UnreadSources: Sendable {
    private struct State {
        /// Those that are tried again.
        var waiting: [String: SourceRow] = [:]
        /// Those that have to be replaced or removed.
        var refused: [String: Refused] = [:]
    }

    /// A source with a recipe that is refused.
    struct Refused: Sendable {
        var row: SourceRow
        /// The reason.
        var words: String

        /// True if only those may change or remove it who may name secrets.
        ///
        /// Nobody knows whether it names any; one that does has the word, or it is a bucket's.
        var mayNameSecrets: Bool { row.recipe.contains("secret") || row.recipe.contains("s3") }
    }

    private let state = Mutex(State())

    /// True if there are none that are tried again.
    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    /// Those that are tried again, with their names.
    var all: [(name: String, row: SourceRow)] {
        state.withLock { $0.waiting.map { ($0.key, $0.value) } }
    }

    /// Returns whether a name is that of a source that is tried again.
    func contains(_ name: String) -> Bool { state.withLock { $0.waiting[name] != nil } }

    /// The source of a name whose recipe is refused; nil where there is none.
    func refused(_ name: String) -> Refused? { state.withLock { $0.refused[name] } }

    /// Notes a source whose recipe can't be read now.
    func add(_ row: SourceRow, _ name: String) { state.withLock { $0.waiting[name] = row } }

    /// Notes a source whose recipe is refused.
    func refuse(_ row: SourceRow, _ name: String, because words: String) {
        state.withLock { state in
            state.waiting[name] = nil
            state.refused[name] = Refused(row: row, words: words)
        }
    }

    /// Forgets a source whose recipe has been read, or that was replaced or removed.
    func remove(_ name: String) {
        state.withLock { state in
            state.waiting[name] = nil
            state.refused[name] = nil
        }
    }
}

import JobModel
import SourceCore
import Synchronization

/// The sources in the store whose recipes could not be read: yet, through no fault of theirs, or because this
/// version refuses them.
///
/// Their names stay taken meanwhile. A recipe of such a name would be a new source, for which all that the
/// old one knows would be fetched again.
final class UnreadSources: Sendable {
    private struct State {
        /// Those that are tried again.
        var waiting: [String: Waiting] = [:]
        /// Those that have to be replaced or removed.
        var refused: [String: Refused] = [:]
    }

    /// A source with a recipe that is tried again.
    private struct Waiting {
        var row: SourceRow
        /// The failure that kept the reader from it; nil if it was not tried yet.
        var failure: SourceFailure?
    }

    /// A source with a recipe that is refused.
    struct Refused: Sendable {
        var row: SourceRow
        /// The reason.
        var words: String

        /// True if only those may change or remove it who may name secrets.
        ///
        /// Nobody knows whether it names any; one that does has a key of that name.
        var mayNameSecrets: Bool { row.recipe.mayHaveKey("secret") }
    }

    private let state = Mutex(State())

    /// True if there are none that are tried again.
    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    /// Those that are tried again, with their names.
    var all: [(name: String, row: SourceRow)] {
        state.withLock { $0.waiting.map { ($0.key, $0.value.row) } }
    }

    /// All of both kinds, as people see them, in no order.
    var shown: [UnreadSource] {
        state.withLock { state in
            state.waiting.map { UnreadSource($0.key, $0.value.row, waitingFor: $0.value.failure) }
                + state.refused.map { UnreadSource($0.key, $0.value.row, refusedBecause: $0.value.words) }
        }
    }

    /// Returns whether a name is that of a source that is tried again.
    func contains(_ name: String) -> Bool { state.withLock { $0.waiting[name] != nil } }

    /// The row of a source of either kind; nil where there is none of that name.
    func row(_ name: String) -> SourceRow? {
        state.withLock { $0.waiting[name]?.row ?? $0.refused[name]?.row }
    }

    /// The source of a name whose recipe is refused; nil where there is none.
    func refused(_ name: String) -> Refused? { state.withLock { $0.refused[name] } }

    /// Notes a source whose recipe can't be read now, or was not tried yet.
    func add(_ row: SourceRow, _ name: String, after failure: SourceFailure? = nil) {
        state.withLock { $0.waiting[name] = Waiting(row: row, failure: failure) }
    }

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

extension String {
    /// Returns whether a text in YAML or JSON, which need not be right, may have a key of this name.
    ///
    /// A word in a URL, or a part of a longer one, is no key. A text with escapes may spell it in other ways.
    fileprivate func mayHaveKey(_ name: String) -> Bool {
        guard !utf8.contains(UInt8(ascii: "\\")) else { return true }
        let (text, name) = (Array(utf8), Array(name.utf8))
        let before = Set(" \t\r\n{[,'\"".utf8)
        let after = Set(" \t\r\n:'\"".utf8)
        return text.indices.contains { start in
            let end = start + name.count
            return text[start] == name[0] && end <= text.count && text[start..<end].elementsEqual(name)
                && (start == 0 || before.contains(text[start - 1]) || text[start - 1] > 127)
                && (end == text.count || after.contains(text[end]) || text[end] > 127)
        }
    }
}

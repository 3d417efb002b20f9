import JobModel
import SourceCore
import Vocabulary

/// A source in the store that doesn't run, because its recipe can't be read.
public struct UnreadSource: Sendable {
    /// Its name.
    public var name: String
    /// Its condition: it waits where its recipe is tried again, and has failed where this version refuses it.
    public var condition: SourceCondition
    /// The reason, with a code for programs.
    public var code: String
    /// The same as a sentence that says what is to be done.
    public var message: String
    /// Its recipe for people; empty where nobody knows what of it is not to be shown.
    public var shownRecipe: String
    /// The file that it comes from; nil where it was added by hand, or where that isn't known.
    public var file: String?
    /// The time at which it was added; 1970 where that isn't known.
    public var createdAt: Timestamp
    /// The time at which a page was last read.
    public var lastReadAt: Timestamp?

    /// A source whose recipe is tried again; without a failure it was not tried yet.
    init(_ name: String, _ row: SourceRow, waitingFor failure: SourceFailure?) {
        self.init(
            name,
            row,
            condition: .waiting,
            code: (failure?.code ?? .readerCrashed).rawValue,
            message: "its recipe could not be read yet, and is tried again by itself"
                + (failure.map { ": \($0.message)" } ?? "")
        )
    }

    /// A source whose recipe this version refuses.
    init(_ name: String, _ row: SourceRow, refusedBecause words: String) {
        self.init(
            name,
            row,
            condition: .failed,
            code: Self.refusedCode,
            message:
                "its stored recipe can't be used: \(words); replace it (facefetch source apply), or remove it "
                + "(facefetch source remove \(name))"
        )
    }

    private init(
        _ name: String,
        _ row: SourceRow,
        condition: SourceCondition,
        code: String,
        message: String
    ) {
        let stored = StoredSource(text: row.state)
        self.name = name
        self.condition = condition
        self.code = code
        self.message = message
        shownRecipe = (stored?.recipe).flatMap { $0.problems.isEmpty ? $0.shown ?? row.recipe : nil } ?? ""
        file = stored?.file
        createdAt = Timestamp(microseconds: stored?.createdAt ?? 0)
        lastReadAt = (stored?.lastReadAt).map { Timestamp(microseconds: $0) }
    }

    /// The code of a recipe that is refused, which is also that of the refusal of a new one.
    static let refusedCode = "bad_recipe"
}

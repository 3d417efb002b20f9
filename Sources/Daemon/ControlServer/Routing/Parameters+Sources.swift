import ControlAPI
import SourceEngine
import Vocabulary

/// The parameters of the endpoints of sources.
extension Parameters {
    /// The name of a recipe that doesn't say its own.
    static let fallbackName = Parameter<String>(
        "name",
        .string(from: 1, to: 63),
        "The name of the source where the recipe doesn't say it."
    ) { (text) throws(ProblemJSON) in
        guard (1...63).contains(text.unicodeScalars.count) else {
            throw ProblemJSON(.invalidParameter, "name must have 1 to 63 characters")
        }
        return text
    }

    /// True if a source of that name may be there already.
    static let replace = flag(
        "replace",
        "Whether the recipe is applied to the source of its name where there is one."
    )

    /// True if a walk fetches items again whose documents are gone.
    static let missing = flag(
        "missing",
        "Whether the whole list is read, and items are fetched again whose documents are gone."
    )

    /// The fate of a source whose list is another.
    static let reset = Parameter<RecipeOrder.Reset>(
        "reset",
        .words(RecipeOrder.Reset.allCases.map(\.rawValue)),
        "What is forgotten of a source whose url or kind is another: where it stands (cursor), or its items as well (keys)."
    ) { (text) throws(ProblemJSON) in
        guard let reset = RecipeOrder.Reset(rawValue: text) else {
            throw ProblemJSON(.invalidParameter, "reset is cursor or keys, not \(text.quoted)")
        }
        return reset
    }

    /// True if the jobs of a source that is removed are cancelled.
    static let jobsOfRemoved = Parameter<Bool>(
        "jobs",
        .words(["keep", "cancel"]),
        "What becomes of the source's jobs that haven't ended."
    ) { (text) throws(ProblemJSON) in
        guard ["keep", "cancel"].contains(text) else {
            throw ProblemJSON(.invalidParameter, "jobs is keep or cancel, not \(text.quoted)")
        }
        return text == "cancel"
    }
}

import JobModel
import SourceCore
import Vocabulary

/// A source as it is at one moment.
public struct SourceSnapshot: Sendable {
    /// The source's number.
    public var id: Int64
    /// Its name.
    public var name: String
    /// Its recipe as it was given.
    public var recipeText: String
    /// The same for people: without passwords, and without the values of header fields.
    public internal(set) var shownRecipe: String
    /// Its recipe.
    public var recipe: Recipe
    /// Its state.
    public var state: SourceState
    /// The file that it comes from; nil where it was added by hand.
    public var file: String?
    /// The time at which it was added.
    public var createdAt: Timestamp
    /// The time at which a page was last read.
    public var lastReadAt: Timestamp?
    /// True if it holds because it has read far enough ahead.
    public var isHeld = false
    /// The reason for which the daemon has no room for its next page, as a sentence; nil if it has.
    public internal(set) var shortage: String?
    /// Totals since the daemon started.
    public internal(set) var totals = SourceTotals()
    /// Since when the pace lets no page be asked for, in seconds of the steady clock.
    public var pacedUntil: Double?

    /// The current condition.
    public var condition: SourceCondition {
        if state.pause != nil { return .paused }
        switch state.activity {
        case .walking: return shortage != nil ? .waiting : isHeld ? .held : .reading
        case .idle: return .idle
        case .waiting: return .waiting
        case .failed: return .failed
        case .ended: return .ended
        }
    }

    /// Until when it does that, in seconds of the steady clock; nil where that can't be told.
    public var until: Double? {
        if state.pause != nil { return nil }
        switch state.activity {
        case .idle(let until), .waiting(let until), .failed(let until): return until
        case .walking: return pacedUntil
        case .ended: return nil
        }
    }

    /// The reason for the condition, as a clause; nil where the condition says all.
    public var reason: String? {
        switch condition {
        case .paused: return state.pause.flatMap { $0.isEmpty ? nil : $0 }
        case .held:
            if recipe.mode == .lazy { return "it is lazy, and reads on when somebody asks for more" }
            return recipe.queue == .fleet
                ? "the fleet hasn't done with \(recipe.ahead) items yet, or its agent hasn't got them (ahead)"
                : "\(recipe.ahead) jobs are queued or downloading (ahead)"
        case .waiting, .failed: return shortage ?? state.failure?.sentence
        case .reading: return pacedUntil == nil ? nil : "its pace lets no page be asked for before that"
        case .idle, .ended:
            switch state.lastStop {
            case .limit?: return limitReached
            default: return state.failure?.sentence ?? notes
            }
        }
    }

    /// A clause about what was odd in the last walk, which is no failure; nil if nothing was.
    private var notes: String? {
        guard let walk = state.walk else { return nil }
        var notes: [String] = []
        if state.lastStop == .firstPage {
            notes.append("the last walk ended where next leads back to the first page")
        }
        if let end = walk.end {
            let missing =
                end.missing.map { ", although \($0) of \(walk.total ?? $0) items are missing" } ?? ""
            notes.append(
                "the list ended at page \(end.page), which the server answered with \(end.status)\(missing)"
            )
        }
        if let bad = walk.badSlices { notes.append(bad.words) }
        let (listed, wanted) = (walk.items - walk.bad, walk.known + walk.new)
        if listed > 0, wanted == 0 { notes.append(recipe.wordsForLeftOut(listed)) }
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    /// The limit that ended the last walk, with its meaning and advice.
    ///
    /// A walk begins where the one before began, so the rest isn't reached by waiting.
    private var limitReached: String {
        let limits = recipe.limits
        let pages = recipe.kind.isStreamed ? 0 : state.walk?.pages ?? 0
        let limit =
            if pages >= limits.pages {
                "limits.pages (\(limits.pages))"
            } else if (state.walk?.items ?? 0) >= limits.items {
                "limits.items (\(limits.items))"
            } else {
                "a limit that has been changed since"
            }
        return
            "the last walk ended at \(limit), and each walk begins with the same items, so those behind are "
            + "never reached; raise the limit, or divide the list into slices"
    }
}

import JobCore
import SourceCore

/// A source as it is at one moment.
public struct SourceSnapshot: Sendable {
    /// What a source does, as people and programs know it.
    public enum Condition: String, CaseIterable, Sendable {
        /// It asks for pages.
        case reading
        /// It has read far enough ahead.
        case held
        /// It waits for its next walk.
        case idle
        /// A page failed, and is asked for again.
        case waiting
        /// Somebody has to mend something.
        case failed
        /// Somebody has paused it.
        case paused
        /// It has been read, and looks again only when somebody asks.
        case ended
    }

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
    /// Where it stands.
    public var state: SourceState
    /// The file that it comes from; nil where it was added by hand.
    public var file: String?
    /// When it was added.
    public var createdAt: Timestamp
    /// When a page was last read.
    public var lastReadAt: Timestamp?
    /// Whether it holds because it has read far enough ahead.
    public var isHeld = false
    /// Why the daemon has no room for its next page, as a sentence; nil if it has.
    public internal(set) var shortage: String?
    /// What has come of it since the daemon started.
    public internal(set) var totals = SourceTotals()
    /// Since when the pace lets no page be asked for, in seconds of the steady clock.
    public var pacedUntil: Double?

    /// What it does.
    public var condition: Condition {
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

    /// Why, as a clause; nil where the condition says all.
    public var reason: String? {
        switch condition {
        case .paused: return state.pause.flatMap { $0.isEmpty ? nil : $0 }
        case .held:
            return recipe.mode == .lazy
                ? "it is lazy, and reads on when somebody asks for more"
                : "\(recipe.ahead) jobs are queued or downloading (ahead)"
        case .waiting, .failed: return shortage ?? state.failure?.sentence
        case .reading: return pacedUntil == nil ? nil : "its pace lets no page be asked for before that"
        case .idle, .ended:
            switch state.lastStop {
            case .limit?: return limitReached
            default: return state.failure?.sentence
            }
        }
    }

    /// Which limit ended the last walk, what that means, and what to do.
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

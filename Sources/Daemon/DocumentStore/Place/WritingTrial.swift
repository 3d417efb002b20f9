import CLinux
import Dispatch
import Foundation
import Synchronization

/// Tries on a thread of its own whether anything can be written to the directories of documents and partials.
///
/// A disk that fails may never answer, and keeps whoever asks it for as long. So there is one such thread, which exists
/// only while something is tried, and a few more where one doesn't come back: the last one to be begun counts. What must
/// not be kept waiting meanwhile is left to it, too.
final class WritingTrial: Sendable {
    /// A handler for what came of a try: the reason for which nothing can be written, if there is one.
    typealias Hear = @Sendable (_ refusal: String?) -> Void

    /// A try that is under way.
    private struct Try {
        /// The number of times that other directories had been opened when it began.
        let generation: Int
        /// The number of tries before it.
        let number: Int
        let beganAt: UInt64
        /// The name of what is being tried.
        var place = ""
        /// True if its answer has been given, because other directories have taken the places of those tried.
        var isGivenUp = false
    }

    private struct State {
        var present: Try?
        /// The number of tries so far, and of those that haven't come back.
        var count = 0
        var underWay = 0
        /// What is done before the present try is answered.
        var errands: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let hear: Hear
    private let attempt: @Sendable (_ begins: (_ place: String) -> Void) -> String?
    private let now: @Sendable () -> UInt64

    /// The age of a try, in nanoseconds, from which on it counts as one that may never come back.
    ///
    /// By then nothing that was begun before it is still to be handed out, and nothing has been begun since.
    private static let lateAfter: UInt64 = 3_000_000_000

    /// The most threads that hang in disks.
    static let mostThreads = 4

    /// A trial by `attempt`, which calls `begins` with the name of each directory before it tries that, and returns why
    /// nothing can be written.
    ///
    /// - Parameters:
    ///   - now: The time in nanoseconds since whenever.
    ///   - hear: Hears of the tries, on any thread.
    init(
        now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds },
        hear: @escaping Hear = { _ in },
        _ attempt: @escaping @Sendable (_ begins: (_ place: String) -> Void) -> String?
    ) {
        (self.now, self.hear, self.attempt) = (now, hear, attempt)
    }

    /// The sentence about the present try, for when it doesn't come back.
    var silence: String {
        let place = state.withLock { $0.present?.place } ?? ""
        let name = place.isEmpty ? "the documents directory" : place
        return "\(name) does not answer: its disk or file server hangs"
    }

    /// Begins a try, unless one is under way that is neither given up nor to be begun `anew`.
    ///
    /// If too many threads are still at directories that others have taken the places of, nothing is known, and that is
    /// the answer.
    func begin(generation: Int, anew: Bool = false) {
        let (number, isUnknown) = state.withLock { state -> (Int?, Bool) in
            if let present = state.present {
                guard present.isGivenUp || anew else { return (nil, false) }
                guard state.underWay < Self.mostThreads else { return (nil, present.isGivenUp) }
            }
            state.count += 1
            state.underWay += 1
            let before = state.present.flatMap { $0.isGivenUp ? nil : $0 }
            state.present = Try(
                generation: generation,
                number: state.count,
                // What is late stays so: others keep away from that disk.
                beganAt: before?.beganAt ?? now(),
                place: before?.place ?? ""
            )
            return (state.count, false)
        }
        if isUnknown { hear(nil) }
        guard let number else { return }
        Thread { [self] in
            CLinux_begin_thread("ff-trial", 0)
            run(number, generation)
        }.start()
    }

    /// Gives up a try of directories that others have taken the places of since, as that number says.
    func giveUp(before generation: Int) {
        let isGivenUp = state.withLock { state in
            guard let present = state.present, !present.isGivenUp, present.generation != generation else {
                return false
            }
            state.present?.isGivenUp = true
            // They are about files of those directories.
            state.errands = []
            return true
        }
        if isGivenUp { hear(nil) }
    }

    /// Leaves work on the directories to the thread if its try may never come back; returns whether it did.
    ///
    /// The work is done before the try is answered.
    func takesOver(_ work: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard let present = state.present, !present.isGivenUp,
                now() - present.beganAt >= Self.lateAfter
            else { return false }
            state.errands.append(work)
            return true
        }
    }

    private func run(_ number: Int, _ generation: Int) {
        let refusal = attempt { place in
            state.withLock { if $0.present?.number == number { $0.present?.place = place } }
        }
        while true {
            let (errands, hear) = state.withLock { state -> ([@Sendable () -> Void], Hear?) in
                // Another one counts, but that something could be written is true whoever says it.
                let present = state.present
                let isPresent = present?.generation == generation && present?.isGivenUp == false
                guard present?.number == number || isPresent && refusal == nil else {
                    state.underWay -= 1
                    return ([], { _ in })
                }
                defer { state.errands = [] }
                guard state.errands.isEmpty else { return (state.errands, nil) }
                let isGivenUp = state.present?.isGivenUp == true
                state.present = nil
                state.underWay -= 1
                return ([], isGivenUp ? { _ in } : self.hear)
            }
            if let hear { return hear(refusal) }
            for errand in errands { errand() }
        }
    }
}

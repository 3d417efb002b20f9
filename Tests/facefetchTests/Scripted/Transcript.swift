import Foundation
import Glibc
import Synchronization

/// All that comes out of a descriptor, for tests that wait for words in it.
final class Transcript: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var hasEnded = false
        var waiters: [(word: String?, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state = Mutex(State())

    /// Reads on a thread of its own, until the end.
    ///
    /// The descriptor is closed then.
    init(reading descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                // A pseudo-terminal whose other end is closed gives EIO.
                guard count > 0 else { break }
                update { $0.bytes += buffer.prefix(count) }
            }
            close(descriptor)
            update { $0.hasEnded = true }
        }
    }

    /// All of it so far.
    var text: String { String(decoding: state.withLock(\.bytes), as: UTF8.self) }

    /// Waits until `word` is in it; false when it has ended without.
    func contains(_ word: String) async -> Bool { await wait(for: word) }

    /// Waits until nothing more can come.
    func end() async { _ = await wait(for: nil) }

    private func wait(for word: String?) async -> Bool {
        await withCheckedContinuation { continuation in
            update { $0.waiters.append((word, continuation)) }
        }
    }

    private func update(_ change: (inout State) -> Void) {
        let ready: [(CheckedContinuation<Bool, Never>, Bool)] = state.withLock { state in
            change(&state)
            let text = String(decoding: state.bytes, as: UTF8.self)
            var ready: [(CheckedContinuation<Bool, Never>, Bool)] = []
            state.waiters.removeAll { waiter in
                let isThere = waiter.word.map(text.contains) ?? state.hasEnded
                guard isThere || state.hasEnded else { return false }
                ready.append((waiter.continuation, isThere))
                return true
            }
            return ready
        }
        for (continuation, isThere) in ready { continuation.resume(returning: isThere) }
    }
}

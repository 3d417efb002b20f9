import Foundation
import Glibc
import Synchronization

/// Looks at a daemon's detectors, and at what these start, every few milliseconds, from outside, by proc(5).
final class DetectorWatch: Sendable {
    struct Sight: Sendable {
        /// Every process that was seen.
        var processes: Set<Int32> = []
        /// The most detectors that were seen at once.
        var most = 0
        /// The most memory that one of them held, in KiB (VmHWM).
        var memory = 0
    }

    private let sight = Mutex(Sight())
    private let daemon: Int32
    private let over = DispatchSemaphore(value: 0)

    init(daemon: Int32) {
        self.daemon = daemon
        Thread.detachNewThread { [self] in
            // Twenty times a second: nobody tells of another's children.
            repeat { look() } while over.wait(timeout: .now() + 0.05) == .timedOut
        }
    }

    /// Ends looking, and says what there was.
    func end() -> Sight {
        over.signal()
        return sight.withLock { $0 }
    }

    /// Those of them that still run after ten seconds.
    ///
    /// What a killed detector has started is killed by the kernel, at once, but nobody waits for that.
    static func survivors(of sight: Sight) async throws -> [Int32] {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let left = sight.processes.filter { names.contains(name(of: $0)) && !isDead($0) }
            if left.isEmpty || ContinuousClock.now > deadline { return left.sorted() }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Returns whether a process has ended and only waits to be reaped.
    private static func isDead(_ process: Int32) -> Bool {
        text("/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("State:") }?
            .contains("Z") ?? true
    }

    private func look() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let parents = Dictionary(
            names.compactMap { Int32($0) }.map { ($0, Self.parent(of: $0)) },
            uniquingKeysWith: { first, _ in first }
        )
        let detectors = parents.filter { $0.value == daemon && Self.name(of: $0.key) == Self.names[0] }
        // What a detector starts, and what that starts.
        let forkServers = parents.filter { $0.value.map { detectors[$0] != nil } ?? false }
        let decoders = parents.filter { $0.value.map { forkServers[$0] != nil } ?? false }
        let children = [detectors, forkServers, decoders].flatMap(\.keys)
        var memory = 0
        for child in children {
            let status = Self.text("/proc/\(child)/status")
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            memory = max(memory, line?.split(separator: " ").compactMap { Int($0) }.first ?? 0)
        }
        sight.withLock { sight in
            sight.processes.formUnion(children)
            sight.most = max(sight.most, detectors.count)
            sight.memory = max(sight.memory, memory)
        }
    }

    /// The kernel keeps 15 bytes of a program's name.
    private static let names = ["facefetch-detec", "fork-server", "decoder"]

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    private static func name(of process: Int32) -> String {
        text("/proc/\(process)/comm").split(separator: "\n").first.map(String.init) ?? ""
    }

    private static func parent(of process: Int32) -> Int32? {
        let status = text("/proc/\(process)/status")
        let line = status.split(separator: "\n").first { $0.hasPrefix("PPid:") }
        return line?.split(separator: "\t").last.flatMap { Int32($0) }
    }
}

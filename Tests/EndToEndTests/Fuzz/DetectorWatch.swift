import Foundation
import Glibc
import Synchronization

/// Looks at a daemon's children every few milliseconds, from outside, by proc(5).
final class DetectorWatch: Sendable {
    struct Sight: Sendable {
        /// Every detector that was seen.
        var processes: Set<Int32> = []
        /// The most that were seen at once.
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

    /// Those of them that still run.
    static func survivors(of sight: Sight) -> [Int32] {
        sight.processes.filter { name(of: $0) == "facefetch-detec" && kill($0, 0) == 0 }
    }

    private func look() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let children = names.compactMap { Int32($0) }.filter {
            Self.parent(of: $0) == daemon && Self.name(of: $0) == "facefetch-detec"
        }
        var memory = 0
        for child in children {
            let status = Self.text("/proc/\(child)/status")
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            memory = max(memory, line?.split(separator: " ").compactMap { Int($0) }.first ?? 0)
        }
        sight.withLock { sight in
            sight.processes.formUnion(children)
            sight.most = max(sight.most, children.count)
            sight.memory = max(sight.memory, memory)
        }
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    /// The kernel keeps 15 bytes of a program's name.
    private static func name(of process: Int32) -> String {
        text("/proc/\(process)/comm").split(separator: "\n").first.map(String.init) ?? ""
    }

    private static func parent(of process: Int32) -> Int32? {
        let status = text("/proc/\(process)/status")
        let line = status.split(separator: "\n").first { $0.hasPrefix("PPid:") }
        return line?.split(separator: "\t").last.flatMap { Int32($0) }
    }
}

import Foundation
import Glibc

/// A process and all that it and those have started, at one moment.
struct ProcessTree {
    /// The first is the one that has started the others.
    let processes: [pid_t]

    init(of process: pid_t) {
        var found = [process]
        var next = 0
        while next < found.count {
            found += Self.children(of: found[next])
            next += 1
        }
        processes = found
    }

    /// Resident bytes; memory that several share counts for each of them.
    var resident: Double { processes.map(Self.resident).reduce(0, +) }

    /// Bytes that they take of the machine (PSS); memory that several share counts once.
    ///
    /// Of a process that may not be asked, resident bytes.
    var taken: Double { processes.map { Self.taken($0) ?? Self.resident($0) }.reduce(0, +) }

    /// Seconds of the processors that all but the first have used, and whom they have waited for.
    var processorSecondsOfChildren: Double { processes.dropFirst().map(Self.processorSeconds).reduce(0, +) }

    /// Seconds for which all the machine's processors have had nothing to do, added up.
    static func idleSeconds() throws -> Double {
        let text = try String(contentsOfFile: "/proc/stat", encoding: .utf8)
        // The first line is about all of them: user, nice, system, idle, iowait, … (proc(5)).
        let fields = text.prefix { $0 != "\n" }.split(separator: " ")
        guard fields.count > 5, let idle = Double(fields[4]), let waiting = Double(fields[5]) else {
            throw BenchError.failed("/proc/stat makes no sense")
        }
        return (idle + waiting) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Each thread has children of its own (proc(5)).
    private static func children(of process: pid_t) -> [pid_t] {
        let tasks = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.flatMap { thread in
            let text = try? String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)
            return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    private static func resident(_ process: pid_t) -> Double {
        // Pages: size, resident, shared, … (proc(5)).
        let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
        let words = text?.split(separator: " ")
        let pages = words.flatMap { $0.count > 1 ? Double($0[1]) : nil } ?? 0
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Bytes that a process takes of the machine; nil if nobody may know, or it has ended.
    static func taken(_ process: pid_t) -> Double? {
        let text = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        guard let words = line?.split(separator: " "), words.count > 1 else { return nil }
        return Double(words[1]).map { $0 * 1024 }
    }

    private static func processorSeconds(_ process: pid_t) -> Double {
        let path = "/proc/\(process)/stat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
        // The name, in brackets, may have anything in it; fields 14 to 17 are utime, stime, cutime and
        // cstime (proc(5)).
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 15 else { return 0 }
        let ticks = fields[12...15].compactMap { Double($0) }.reduce(0, +)
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

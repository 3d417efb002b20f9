import CurlTransfer
import FoundationEssentials
import Glibc
import SmallFiles
import Vocabulary

/// The directory with the reports that were not sent yet, so that they outlive the daemon.
///
/// It also has the allowance, and the mark of a part that is stuck. It belongs to the daemon, but whatever is found
/// there is taken for what it is named: nothing but regular files of possible names and lengths is read.
struct ReportSpool {
    /// The directory's path.
    let directory: String

    private static let allowanceName = "allowance"
    private static let markName = "stuck"
    private static let suffix = ".report"

    /// Returns a name for a report; the names' order is that of time.
    static func name(id: String, time: Double) -> String {
        let milliseconds = String(Int64(max(0, min(time * 1000, 1e14))))
        return String(repeating: "0", count: max(0, 15 - milliseconds.count)) + milliseconds + "-" + id
            + suffix
    }

    /// Creates the directory if necessary, and returns the reports in it with their lengths, oldest first.
    ///
    /// What a kill has left of one that was being written is removed.
    func open() -> [(name: String, length: Int)] {
        mkdir(directory, 0o700)
        var found: [(name: String, length: Int)] = []
        for name in (try? WholeFolder.names(directory)) ?? [] {
            if name.hasSuffix(".new") {
                remove(name)
            } else if Self.isReport(name) {
                guard let bytes = read(name) else {
                    remove(name)
                    continue
                }
                found.append((name, bytes.count))
            }
        }
        return found.sorted { $0.name < $1.name }
    }

    /// Writes a report.
    func write(_ bytes: [UInt8], as name: String) throws(FileFailure) {
        try KeptFile.write(bytes, to: directory + "/" + name)
    }

    /// Returns a report; nil if it can't be read, or isn't one.
    func read(_ name: String) -> [UInt8]? {
        let bytes = contents(name, upTo: Report.maximumLength)
        return bytes?.isEmpty == false ? bytes : nil
    }

    /// Removes a file of the directory.
    func remove(_ name: String) { unlink(directory + "/" + name) }

    /// Removes the directory with all that is ours.
    func removeAll() {
        guard access(directory, F_OK) == 0 else { return }
        for (name, _) in open() { remove(name) }
        remove(Self.allowanceName)
        remove(Self.markName)
        rmdir(directory)
    }

    /// The rest of the allowance; an unused one if that isn't known.
    var allowance: ReportAllowance {
        let bytes = contents(Self.allowanceName, upTo: 1 << 16) ?? []
        return (try? JSONDecoder().decode(ReportAllowance.self, from: Data(bytes))) ?? ReportAllowance()
    }

    /// Keeps the allowance.
    func keep(_ allowance: ReportAllowance) throws(FileFailure) {
        guard let data = try? JSONEncoder().encode(allowance) else { throw FileFailure.system(EINVAL) }
        try write(Array(data), as: Self.allowanceName)
    }

    /// The parts that the last run of the daemon has noted as stuck, and that it was ended with; nil for none.
    var stuck: [Fault.Part]? {
        contents(Self.markName, upTo: 1000).map { Fault.Part.named(in: String(decoding: $0, as: UTF8.self)) }
    }

    /// Notes that parts are stuck, or with nil that none is any more.
    func mark(_ parts: [Fault.Part]?) throws(FileFailure) {
        guard let parts else { return remove(Self.markName) }
        try write(Array(parts.map(\.rawValue).joined(separator: "\n").utf8), as: Self.markName)
    }

    private func contents(_ name: String, upTo limit: Int) -> [UInt8]? {
        try? WholeFile.bytes(directory + "/" + name, atMost: limit, [.isRegular, .isNoLink])
    }

    private static func isReport(_ name: String) -> Bool {
        guard name.hasSuffix(suffix) else { return false }
        let parts = name.dropLast(suffix.count).split(separator: "-")
        return parts.count == 2 && parts[0].count == 15 && parts[0].allSatisfy(\.isWholeNumber)
            && parts[1].utf8.isHex(count: 32)
    }
}

import FoundationEssentials

/// The identification of this run of the machine.
enum BootID {
    /// Returns the kernel's random id for this run of the machine (proc(5)); nil if it can't be read, in
    /// which case no partial is trusted beyond what was synced.
    static func current(at path: String = "/proc/sys/kernel/random/boot_id") -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return text.split(separator: "\n").first.map(String.init)
    }
}

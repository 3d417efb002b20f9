import FoundationEssentials

/// Names this run of the machine.
enum BootID {
    /// The kernel's random name for the time since it booted (proc(5)); nil
    /// where it can't be read, and then no partial is believed beyond what was synced.
    static func current(at path: String = "/proc/sys/kernel/random/boot_id") -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return text.split(separator: "\n").first.map(String.init)
    }
}

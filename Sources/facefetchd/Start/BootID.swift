import FoundationEssentials

/// Names this run of the machine.
enum BootID {
    /// The kernel's random name for the time since it booted (proc(5)); nil
    /// where it can't be read, and then no partial is believed beyond what was synced.
    static var current: String? {
        guard let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        else { return nil }
        let name = text.split(separator: "\n").first.map(String.init)
        return name?.isEmpty == false ? name : nil
    }
}

/// The files of the time zones that the machine knows (tzfile(5)).
public enum TimeZoneFile {
    /// The directory of the files.
    private static let directory = "/usr/share/zoneinfo"
    /// The file of the machine's own zone (localtime(5)).
    public static let local = "/etc/localtime"

    /// Returns what a zone's file holds; nil if the machine has no zone of that name.
    public static func bytes(of zone: String) -> [UInt8]? {
        // No dots, so that no name leads out of the directory.
        let isPlain = zone.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0 & 0xDF) || "+-_/".utf8.contains($0)
        }
        guard isPlain, !zone.isEmpty, !zone.hasPrefix("/"), zone.utf8.count < 256 else { return nil }
        return bytes(at: "\(directory)/\(zone)")
    }

    /// Returns what the file of a zone holds; nil if there is none.
    public static func bytes(at path: String) -> [UInt8]? {
        guard let bytes = try? TextFile.bytes(path), bytes.starts(with: "TZif".utf8) else { return nil }
        return bytes
    }
}

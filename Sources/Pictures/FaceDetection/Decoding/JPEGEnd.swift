/// The end of a JPEG, which tells one that is damaged somewhere from one that was cut off.
enum JPEGEnd {
    /// The most bytes that may follow the end of the picture, as what cameras add does.
    private static let longestTail = 1 << 16

    /// Returns whether a file ends as a JPEG does: with the marker for the end of the picture (ITU-T T.81, table
    /// B.1), behind the last scan, and not much after that.
    ///
    /// Neither marker can be within the data of a scan, where 0 follows 0xFF.
    static func isThere(in file: FileBytes) -> Bool {
        let length = file.length
        return isThere(in: file.part(max(0, length - longestTail), min(length, longestTail)))
    }

    /// Returns whether the end is in the last bytes of a file.
    static func isThere(in tail: [UInt8]) -> Bool {
        for place in stride(from: tail.count - 2, through: 0, by: -1) where tail[place] == 0xFF {
            switch tail[place + 1] {
            // EOI.
            case 0xD9: return true
            // SOS.
            case 0xDA: return false
            default: break
            }
        }
        return false
    }
}

/// The lengths that the boxes of a JPEG XL or JPEG 2000 file say they have, up to those with its picture.
enum BoxLengths {
    /// The boxes that are passed over to find the picture's data, at the most.
    private static let most = 1024

    /// Checks a file of so many bytes, which come from a function: from an offset on so many, or fewer at its
    /// end.
    ///
    /// A file without boxes passes.
    ///
    /// - Throws: ``UnreadablePicture`` for a box that would reach beyond the end of the file.
    static func check(
        length: Int,
        _ part: (_ offset: Int, _ count: Int) -> [UInt8]
    ) throws(UnreadablePicture) {
        let first = part(4, 4)
        guard first.spells("JXL ") || first.spells("jP  ") else { return }
        var offset = 0
        for _ in 0..<most {
            // One that says no length goes to the file's end.
            guard offset < length, let box = ISOBox(part(offset, 16)[...], isWhole: false) else { return }
            let left = length - offset - box.start
            guard box.length - box.start <= left else {
                throw UnreadablePicture(part: box.type, claims: box.length - box.start, left: left)
            }
            // What follows the picture's data is no part of it. Where they are in parts, each has a number, whose
            // highest bit the last one has (ISO/IEC 18181-2, 9.9).
            if box.type.spells("jp2c") || box.type.spells("jxlc") { return }
            if box.type.spells("jxlp"), part(offset + box.start, 1).first ?? 0x80 >= 0x80 { return }
            offset += box.length
        }
    }

    /// Returns the length of a file up to what is no whole box; that of the file if there is no such thing.
    ///
    /// For a file that has passed the check, it is behind the picture. A file without boxes is whole.
    static func whole(length: Int, _ part: (_ offset: Int, _ count: Int) -> [UInt8]) -> Int {
        guard part(4, 4).spells("JXL ") else { return length }
        var offset = 0
        for _ in 0..<most where offset < length {
            let head = part(offset, 16)
            // One that says no length goes to the file's end.
            if head.count >= 8, head.prefix(4).allSatisfy({ $0 == 0 }) { return length }
            guard let box = ISOBox(head[...], isWhole: false), box.length <= length - offset else {
                return offset
            }
            offset += box.length
        }
        return length
    }
}

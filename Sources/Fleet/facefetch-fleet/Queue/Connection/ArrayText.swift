/// Arrays as PostgreSQL reads them ("Array Input and Output Syntax" in its manual).
enum ArrayText {
    /// An array of numbers.
    static func of<Number: BinaryInteger>(_ numbers: [Number?]) -> String {
        "{" + numbers.map { $0.map { "\($0)" } ?? "NULL" }.joined(separator: ",") + "}"
    }

    /// An array of texts.
    ///
    /// Byte by byte: a report has a thousand texts of a thousand characters, most of the JSON of which is quoted.
    static func of(_ texts: [String?]) -> String {
        var array: [UInt8] = [UInt8(ascii: "{")]
        array.reserveCapacity(texts.reduce(2) { $0 + 8 + ($1?.utf8.count ?? 0) * 5 / 4 })
        for (index, text) in texts.enumerated() {
            if index > 0 { array.append(UInt8(ascii: ",")) }
            guard var text else {
                array += "NULL".utf8
                continue
            }
            array.append(UInt8(ascii: "\""))
            text.withUTF8 { bytes in
                for byte in bytes {
                    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                        array.append(UInt8(ascii: "\\"))
                    }
                    array.append(byte)
                }
            }
            array.append(UInt8(ascii: "\""))
        }
        array.append(UInt8(ascii: "}"))
        return String(decoding: array, as: UTF8.self)
    }
}

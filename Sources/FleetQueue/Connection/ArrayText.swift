/// Arrays as PostgreSQL reads them ("Array Input and Output Syntax" in its manual).
enum ArrayText {
    /// An array of numbers.
    static func of<Number: BinaryInteger>(_ numbers: [Number?]) -> String {
        "{" + numbers.map { $0.map { "\($0)" } ?? "NULL" }.joined(separator: ",") + "}"
    }

    /// An array of texts.
    static func of(_ texts: [String?]) -> String {
        var array = "{"
        for (index, text) in texts.enumerated() {
            if index > 0 { array += "," }
            guard let text else {
                array += "NULL"
                continue
            }
            array += "\""
            for scalar in text.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { array += "\\" }
                array.unicodeScalars.append(scalar)
            }
            array += "\""
        }
        return array + "}"
    }
}

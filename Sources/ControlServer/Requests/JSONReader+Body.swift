import ControlAPI

extension JSONReader {
    /// Reads the one value that a body is; of an object, calls `read` for each member, which must read its value.
    static func body(
        _ body: [UInt8],
        _ read: (inout JSONReader, String) throws(Malformed) -> Void
    ) throws(ProblemJSON) -> JSONValue {
        do throws(Malformed) {
            var reader = JSONReader(body)
            let value = try reader.members(read)
            try reader.end()
            return value
        } catch {
            throw ProblemJSON(error)
        }
    }
}

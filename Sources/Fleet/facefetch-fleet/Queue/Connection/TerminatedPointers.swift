import Glibc

extension [String] {
    /// Lends the texts as C strings, with a null pointer behind the last.
    func withTerminatedPointers<Value>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value { map { Optional($0) }.withTerminatedPointers(body) }
}

extension [String?] {
    /// Lends the texts as C strings, with null pointers for nil and behind the last.
    func withTerminatedPointers<Value>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        let copies = map { $0.flatMap { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
        return pointers.withUnsafeBufferPointer { buffer in
            // An array with the terminator is never empty.
            buffer.baseAddress.map(body) ?? withUnsafePointer(to: nil, body)
        }
    }
}

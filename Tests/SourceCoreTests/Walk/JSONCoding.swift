import FoundationEssentials

/// JSON as the store has it.
enum JSONCoding {
    static func encode(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(value) }
    static func decode<Value: Decodable>(_ kind: Value.Type, from data: Data) throws -> Value {
        try JSONDecoder().decode(kind, from: data)
    }
}
